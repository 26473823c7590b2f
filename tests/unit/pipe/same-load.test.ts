import { serviceId } from "../../kit/lifecycle";
import { UNKNOWN } from "../../../provider/src/lifecycle/comparison/property-value";
import {
  ADOPT,
  ALLOWING,
  MANAGED,
  ORDERS,
  OTHER_ID,
  REMOVE,
  UNKNOWN_SOURCE,
  UNMANAGED,
  args,
  existingPipe,
  expectRefusal,
  ID,
  listed,
  newPipe,
  refused,
  returning,
  servicePipe,
  stackPipe,
  storage,
  tables,
  type Case,
} from "./same-loads";

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:…" };
const ENCRYPTED_SOURCE = args({ source: { kafka: { brokers: SECRET, topics: "orders" } } });
const DELETING = args({ deletionPolicy: "delete" });

const COPY = refused("copy", `${ORDERS}, resource "orders" of this program`, REMOVE);
const URN = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/datapipes:Pipe::orders";
const ALIAS =
  `If "renamed" is that resource, renamed or moved, add the option aliases: ["${URN}"] and the argument name: "orders". ` +
  "If it is a copy, give it another table. If it replaces that pipe, delete that pipe in an earlier run";
const RENAMED = refused("renamed", `${ORDERS}, resource "orders" of the stack`, ALIAS);

test.each<Case>([
  {
    claim: "refuses the second of two new ones",
    program: [newPipe("a"), newPipe("b")],
    refusal: refused("b", 'pipe "a", resource "a" of this program', REMOVE),
  },
  {
    claim: "refuses a copy of a pipe of the stack",
    program: [existingPipe("orders"), newPipe("copy")],
    ...MANAGED,
    refusal: COPY,
  },
  {
    claim: "refuses a copy of a pipe that it does not read from the state",
    program: [existingPipe("orders"), newPipe("copy")],
    service: MANAGED.service,
    stack: "unread",
    refusal: COPY,
  },
  {
    claim: "refuses a copy of a pipe that the program adopts",
    program: [newPipe("orders", args({ adopt: ID })), newPipe("copy")],
    ...UNMANAGED,
    refusal: COPY,
  },
  {
    claim: "refuses a copy of an adopted pipe of which the program declares no table",
    program: [newPipe("orders", { source: args()["source"], serviceId, adopt: ID }), newPipe("copy")],
    ...UNMANAGED,
    refusal: COPY,
  },
  {
    claim: "refuses a copy of a pipe that would allow one",
    program: [existingPipe("orders", ALLOWING), newPipe("copy")],
    ...MANAGED,
    refusal: COPY,
  },
  {
    claim: "refuses a copy of a pipe that the program will delete",
    program: [existingPipe("orders", DELETING), newPipe("copy")],
    ...MANAGED,
    refusal: COPY,
  },
  {
    claim: "refuses a pipe with the source that another one will have",
    program: [
      existingPipe("orders", storage("b"), { oldInputs: storage("a") }),
      newPipe("copy", storage("b")),
    ],
    service: [listed(storage("a"))],
    refusal: COPY,
  },
  {
    claim: "refuses a copy of a pipe whose source is not known yet, and is the listed one until then",
    program: [existingPipe("orders", UNKNOWN_SOURCE, { oldInputs: args() }), newPipe("copy")],
    ...MANAGED,
    refusal: COPY,
  },
  {
    claim: "refuses a copy if the list cannot be read",
    program: [existingPipe("orders"), newPipe("copy")],
    list: "unread",
    refusal: COPY,
  },
  {
    claim: "refuses a copy if the list does not show the pipe yet",
    program: [existingPipe("orders"), newPipe("copy")],
    list: "behind",
    refusal: COPY,
  },
  {
    claim: "refuses a copy of the new pipe of a replacement",
    program: [
      existingPipe("orders", ALLOWING, { isReplaced: true, oldInputs: returning() }),
      newPipe("copy"),
    ],
    service: [listed(args())],
    refusal: refused("copy", `${ORDERS}, which this stack does not manage`, ADOPT),
  },
  {
    claim: "refuses a copy in a service whose ID is in another case",
    program: [newPipe("a", args({ serviceId: serviceId.toUpperCase() })), newPipe("b")],
    refusal: refused("b", 'pipe "a", resource "a" of this program', REMOVE),
  },
  {
    claim: "names two of one name by their types",
    program: [newPipe("my:Team$Pipe::orders", args({ name: "orders" })), newPipe("orders")],
    refusal: refused("orders", 'pipe "orders", resource "my:Team$Pipe::orders" of this program', REMOVE),
  },
  {
    claim: "accepts a copy of a pipe that does not load",
    program: [existingPipe("orders"), newPipe("copy")],
    stack: MANAGED.stack,
    service: [servicePipe("orders", { state: "Stopped" })],
  },
  {
    claim: "accepts a copy of a pipe that does not load, which the program adopts",
    program: [newPipe("orders", args({ adopt: ID })), newPipe("copy")],
    service: [servicePipe("orders", { state: "completed" })],
  },
  {
    claim: "accepts a copy that allows it",
    program: [existingPipe("orders"), newPipe("copy", ALLOWING)],
    ...MANAGED,
  },
  {
    claim: "accepts a copy whose policy is not known yet",
    program: [existingPipe("orders"), newPipe("copy", args({ replacementPolicy: UNKNOWN }))],
    ...MANAGED,
  },
  {
    claim: "accepts the second of two new ones, if it allows it",
    program: [newPipe("a"), newPipe("b", ALLOWING)],
  },
  {
    claim: "accepts the second of two new ones, if the first allows it",
    program: [newPipe("b", ALLOWING), newPipe("a")],
  },
  {
    claim: "accepts a new one beside a refused one",
    program: [newPipe("a", args(), { status: "refused" }), newPipe("b")],
  },
  {
    claim: "accepts a copy in another service",
    program: [newPipe("a", args({ serviceId: OTHER_ID })), newPipe("b")],
  },
  { claim: "accepts new ones of other topics", program: [newPipe("a"), newPipe("b", returning())] },
  {
    claim: "accepts new ones with unknown sources",
    program: [newPipe("a", UNKNOWN_SOURCE), newPipe("b", UNKNOWN_SOURCE)],
  },
  {
    claim: "accepts a new one with the source that another one will leave",
    program: [
      existingPipe("orders", storage("b"), { oldInputs: storage("a") }),
      newPipe("new", storage("a")),
    ],
    service: [listed(storage("a"))],
  },
  {
    claim: "accepts a table mapping that the program takes from another pipe",
    program: [
      existingPipe("orders", tables("b"), { oldInputs: tables("a", "b") }),
      newPipe("new", tables("a")),
    ],
    service: [listed(tables("a", "b"))],
  },
  {
    claim: "accepts a replacement, which its policy allows",
    program: [existingPipe("orders"), existingPipe("new", args(), { id: OTHER_ID, isReplaced: true })],
    ...MANAGED,
  },
])("beside pipes of the program, a check $claim", expectRefusal);

test.each<Omit<Case, "program">>([
  { claim: "without an alias", ...MANAGED },
  {
    claim: "of a pipe whose source is encrypted in the state",
    ...MANAGED,
    stack: [stackPipe("orders", ENCRYPTED_SOURCE)],
  },
  { claim: "of a pipe that the run would delete", ...MANAGED, stack: [stackPipe("orders", DELETING)] },
  { claim: "if the list is incomplete", ...MANAGED, list: "incomplete" },
  { claim: "by the state if the list may be behind", stack: MANAGED.stack, list: "behind" },
])("beside pipes of the stack, a check refuses a rename $claim", (others) => {
  expectRefusal({ ...others, program: [newPipe("renamed")], refusal: RENAMED });
});

test.each<Case>([
  {
    claim: "names no argument name, if the program declares the name",
    program: [newPipe("renamed", args({ name: "orders" }))],
    ...MANAGED,
    refusal: RENAMED.replace('pipe "renamed"', 'pipe "orders"').replace(
      ' and the argument name: "orders"',
      "",
    ),
  },
  {
    claim: "names the resource of a pipe that was moved to another parent without an alias",
    program: [newPipe("my:Team$Pipe::orders", args({ name: "orders" }))],
    ...MANAGED,
    refusal: RENAMED.replaceAll('"renamed"', '"orders"').replace(' and the argument name: "orders"', ""),
  },
  {
    claim: "names the type of the other form",
    program: [newPipe("renamed")],
    ...MANAGED,
    stack: [stackPipe("orders", args(), { form: "native" })],
    refusal: RENAMED.replace("pulumi-nodejs:dynamic/datapipes:Pipe", "datapipes:index:Pipe"),
  },
  {
    claim: "refuses a new pipe with one of the table mappings of another",
    program: [newPipe("renamed", tables("a", "c"))],
    stack: [stackPipe("orders", tables("a", "b"))],
    service: [listed(tables("a", "b"))],
    refusal: RENAMED,
  },
  {
    claim: "asks for a minute if neither the list nor the state shows what a pipe loads",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders", ENCRYPTED_SOURCE)],
    list: "behind",
    refusal:
      `pipe "renamed" may load the same as ${ORDERS}, resource "orders" of the stack: the list does not show that pipe yet, ` +
      "and its fields are encrypted in the state. Run the same command again in a minute.",
  },
  {
    claim: "accepts a new pipe for one that does not load",
    program: [newPipe("renamed")],
    stack: MANAGED.stack,
    service: [servicePipe("orders", { state: "Failed" })],
  },
  {
    claim: "accepts a new pipe for one that does not load, and that the list does not show yet",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders", args(), { outputs: { state: "paused" } })],
    list: "behind",
  },
  {
    claim: "accepts a new pipe for one that the list does not have",
    program: [newPipe("renamed")],
    stack: MANAGED.stack,
  },
  {
    claim: "accepts a new pipe for one of another service that the list does not show yet",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders", args({ serviceId: OTHER_ID }))],
    list: "behind",
  },
  {
    claim: "accepts the create of a pipe in the stack, as --replace asks for it",
    program: [newPipe("orders")],
    ...MANAGED,
  },
  { claim: "accepts a pipe that allows it", program: [newPipe("renamed", ALLOWING)], ...MANAGED },
])("beside pipes of the stack, a check $claim", expectRefusal);
