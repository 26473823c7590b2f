import { UNKNOWN } from "../../../provider/src/lifecycle/property-value";
import { exportedResource } from "../../kit/deployment";
import {
  ALLOW,
  besideProgram,
  besideService,
  besideStack,
  created,
  elsewhere,
  encrypted,
  kafka,
  kept,
  listed,
  NAME,
  postgres,
  refusalsOf,
  refused,
  stored,
  unknownSource,
  ID,
  type Declared,
  type Others,
} from "./same-loads";

type Row = [claim: string, declared: Declared[], others: Others, ...refusals: (string | undefined)[]];

const PROGRAM: Row[] = [
  [
    "refuses the second of two new ones",
    [created("a"), created("b")],
    {},
    undefined,
    besideProgram("b", "a"),
  ],
  [
    "refuses a copy of a pipe of the stack",
    [kept("orders"), created("copy")],
    { stored: [stored("orders")], listed: [listed("orders")] },
    undefined,
    besideProgram("copy", "orders", ` (${ID})`),
  ],
  [
    "refuses a copy that is checked first, and only that",
    [created("copy"), kept("orders")],
    { stored: [stored("orders")], listed: [listed("orders")] },
    besideStack("copy", "orders", NAME),
    undefined,
  ],
  [
    "refuses the pipe beside a copy, whose policy counts, if the state cannot be read",
    [created("copy"), kept("orders")],
    {},
    undefined,
    'pipe "orders" would load the same source into the same table as pipe "copy", resource "copy" of this program. ' +
      'Remove "copy", or give it another table. To load the data twice, set replacementPolicy: "allow" on "copy".',
  ],
  [
    "refuses a copy of a pipe that the program adopts",
    [kept("orders", kafka({ adopt: ID })), created("copy")],
    { listed: [listed("orders")] },
    undefined,
    besideProgram("copy", "orders", ` (${ID})`),
  ],
  [
    "names two of one name by their types",
    [created("my:Team$Pipe::orders", kafka({ name: "orders" })), created("orders")],
    {},
    undefined,
    refused(
      "orders",
      'pipe "orders", resource "my:Team$Pipe::orders" of this program',
      "Remove this resource, or give it another table",
    ),
  ],
  [
    "accepts a copy of a pipe that does not load",
    [kept("orders"), created("copy")],
    { stored: [stored("orders")], listed: [listed("orders", "Stopped")] },
    undefined,
    undefined,
  ],
  [
    "accepts a copy of a pipe that does not load, which the program adopts",
    [kept("orders", kafka({ adopt: ID })), created("copy")],
    { listed: [listed("orders", "Completed")] },
    undefined,
    undefined,
  ],
  [
    "accepts a copy that allows it",
    [kept("orders"), created("copy", kafka(ALLOW))],
    { stored: [stored("orders")], listed: [listed("orders")] },
    undefined,
    undefined,
  ],
  [
    "accepts a copy whose policy is not known yet",
    [kept("orders"), created("copy", kafka({ replacementPolicy: UNKNOWN }))],
    { stored: [stored("orders")] },
    undefined,
    undefined,
  ],
  [
    "refuses a copy of a pipe that would allow one",
    [kept("orders", kafka(ALLOW)), created("copy")],
    { stored: [stored("orders")], listed: [listed("orders")] },
    undefined,
    besideProgram("copy", "orders", ` (${ID})`),
  ],
  ["accepts two new ones, one of which allows it", [created("a"), created("b", kafka(ALLOW))], {}],
  [
    "accepts two new ones, one of which allows it, in the other order",
    [created("b", kafka(ALLOW)), created("a")],
    {},
  ],
  ["accepts what the stack has twice", [kept("a"), kept("b")], { stored: [stored("a"), stored("b")] }],
  ["accepts new ones of other topics", [created("a"), created("b", elsewhere)], {}],
  ["accepts new ones with unknown sources", [created("a", unknownSource), created("b", unknownSource)], {}],
];

const STACK: Row[] = [
  [
    "refuses a rename without an alias, and names the argument that keeps its name",
    [created("renamed")],
    { stored: [stored("orders")], listed: [listed("orders")] },
    besideStack("renamed", "orders", NAME),
  ],
  [
    "refuses a rename without an alias of a pipe whose name the program declares",
    [["renamed", kafka({ name: "shop" }), true]],
    { stored: [stored("orders", kafka({ name: "shop" }))], listed: [listed("shop")] },
    refused(
      "shop",
      `pipe "shop" (${ID}), resource "orders" of the stack`,
      `If "renamed" is that resource, renamed or moved, add the option aliases: ["${exportedResource("orders", "").urn}"]. ` +
        "If it is a copy, give it another table",
    ),
  ],
  [
    "refuses a pipe that was moved to another parent without an alias",
    [["my:Team$Pipe::orders", kafka({ name: "orders" }), true]],
    { stored: [stored("orders")], listed: [listed("orders")] },
    besideStack("orders", "orders"),
  ],
  [
    "refuses a rename from the other form",
    [created("renamed")],
    { stored: [stored("orders", kafka(), { form: "native" })], listed: [listed("orders")] },
    besideStack("renamed", "orders", NAME).replace(
      exportedResource("orders", "").urn,
      exportedResource("orders", "", { form: "native" }).urn,
    ),
  ],
  [
    "refuses by the state alone if the list cannot be read",
    [created("renamed")],
    { stored: [stored("orders")], listed: undefined },
    besideStack("renamed", "orders", NAME),
  ],
  [
    "refuses by the state alone if the list is incomplete",
    [created("renamed")],
    { stored: [stored("orders")], isComplete: false },
    besideStack("renamed", "orders", NAME),
  ],
  [
    "refuses by the state alone if the list may be behind",
    [created("renamed")],
    { stored: [stored("orders")], isBehind: true },
    besideStack("renamed", "orders", NAME),
  ],
  [
    "refuses beside a pipe that Pulumi retains, whatever its policy is",
    [created("renamed")],
    {
      stored: [stored("orders", kafka({ deletionPolicy: "delete" }), { retainOnDelete: true })],
      listed: [listed("orders")],
    },
    besideStack("renamed", "orders", NAME),
  ],
  [
    "refuses a new pipe with one of the table mappings of another",
    [created("renamed", postgres("a", "c"))],
    { stored: [stored("orders", postgres("a", "b"))], listed: [listed("orders")] },
    besideStack("renamed", "orders", NAME),
  ],
  [
    "accepts a table mapping that the program takes from another pipe",
    [kept("orders", postgres("b")), created("new", postgres("a"))],
    { stored: [stored("orders", postgres("a", "b"))], listed: [listed("orders")] },
  ],
  [
    "accepts a new pipe for one that the run deletes",
    [created("renamed")],
    { stored: [stored("orders", kafka({ deletionPolicy: "delete" }))], listed: [listed("orders")] },
  ],
  [
    "accepts a new pipe for one that does not load",
    [created("renamed")],
    { stored: [stored("orders")], listed: [listed("orders", "Failed")] },
  ],
  [
    "accepts a new pipe for one that does not load, as far as the state knows",
    [created("renamed")],
    { stored: [stored("orders", kafka(), { outputs: { state: "Paused" } })], listed: undefined },
  ],
  [
    "accepts a new pipe for one that a complete list does not have",
    [created("renamed")],
    { stored: [stored("orders")] },
  ],
  [
    "accepts the create of a pipe in the stack",
    [created("orders")],
    { stored: [stored("orders")], isBehind: true },
  ],
  [
    "accepts a new pipe beside one whose source is encrypted",
    [created("new")],
    { stored: [stored("orders", encrypted)] },
  ],
  [
    "accepts a pipe that allows it",
    [created("renamed", kafka(ALLOW))],
    { stored: [stored("orders")], listed: [listed("orders")] },
  ],
];

const SERVICE: Row[] = [
  [
    "refuses a forgotten import",
    [created("orders")],
    { listed: [listed("orders")] },
    besideService("orders", "orders"),
  ],
  [
    "refuses beside a pipe of the list, which is incomplete",
    [created("new")],
    { listed: [listed("orders")], isComplete: false },
    besideService("new", "orders"),
  ],
  [
    "refuses beside a pipe in a state that the provider does not know",
    [created("new")],
    { listed: [listed("orders", "Mending")] },
    besideService("new", "orders"),
  ],
  [
    "accepts the adoption of a pipe of the list",
    [kept("orders", kafka({ adopt: ID }))],
    { listed: [listed("orders")] },
  ],
  [
    "accepts a new pipe beside one that another resource adopts and changes",
    [kept("orders", { ...elsewhere, adopt: ID.toUpperCase() }), created("new")],
    { listed: [listed("orders")] },
  ],
  ["accepts a pipe that this run has created", [created("orders")], { listed: [listed("orders")], made: ID }],
  ["accepts a new pipe if the list cannot be read", [created("orders")], { listed: undefined }],
  ["accepts a pipe that allows it", [created("new", kafka(ALLOW))], { listed: [listed("orders")] }],
  ["accepts a replacement, which the policy has allowed", [kept("orders")], { listed: [listed("orders")] }],
  ["accepts a pipe with an unknown source", [created("new", unknownSource)], { listed: [listed("orders")] }],
  ...["Paused", "Stopped", "Completed", "Failed", "InternalError"].map((state): Row => [
    `accepts a new pipe beside one in the state ${state}`,
    [created("new")],
    { listed: [listed("orders", state)] },
  ]),
];

describe.each([
  ["beside pipes of the program", PROGRAM],
  ["beside pipes of the stack", STACK],
  ["beside pipes of the service", SERVICE],
])("%s, a check", (_, rows) => {
  test.each(rows)("%s", (...[, declared, others, ...refusals]) => {
    const expected = declared.map((_pipe, index) => refusals[index]);
    expect(refusalsOf(declared, others)).toEqual(expected);
  });
});
