import { UNKNOWN } from "../../../provider/src/lifecycle/property-value";
import { minimal, tableMapping } from "../../kit/pipes";
import { serviceId, withProperty } from "../../kit/lifecycle";
import { args, existingPipe, ID, newPipe, refusalsOf, servicePipe, stackPipe, type Case } from "./same-loads";

const ALLOWING = args({ replacementPolicy: "allow" });
const OTHER_TOPIC = withProperty(args(), "source.kafka.topics", "returns");
const UNKNOWN_SOURCE = args({ source: { kafka: { brokers: UNKNOWN, topics: UNKNOWN } } });
const ENCRYPTED_SOURCE = args({ source: { kafka: { ciphertext: "v1:…" } } });
const DELETING = args({ deletionPolicy: "delete" });
const tables = (...names: string[]) =>
  withProperty(
    { ...minimal.postgres, serviceId },
    "source.postgres.tableMappings",
    names.map((name) => tableMapping(name)),
  );

/** The pipe "orders" is in the stack and in the service. */
const MANAGED = { stack: [stackPipe("orders")], service: [servicePipe("orders")] };
const UNMANAGED = { service: [servicePipe("orders")] };

const COPY = `pipe "copy" would load the same source into the same table as pipe "orders" (${ID}), resource "orders" of this program. Remove this resource, or give it another table. To load the data twice, set replacementPolicy: "allow".`;
const URN = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/datapipes:Pipe::orders";
const RENAMED = `pipe "renamed" would load the same source into the same table as pipe "orders" (${ID}), resource "orders" of the stack. If "renamed" is that resource, renamed or moved, add the option aliases: ["${URN}"] and the argument name: "orders". If it is a copy, give it another table. To load the data twice, set replacementPolicy: "allow".`;
const BESIDE_SERVICE = `pipe "new" would load the same source into the same table as pipe "orders" (${ID}), which this stack does not manage. To manage that pipe, set adopt: "${ID}". To load the data twice, set replacementPolicy: "allow".`;

const expectRefusals = (given: Case): void => {
  expect(refusalsOf(given)).toEqual(given.refusals ?? {});
};

test.each<Case>([
  {
    claim: "refuses the second of two new ones",
    program: [newPipe("a"), newPipe("b")],
    refusals: {
      b: 'pipe "b" would load the same source into the same table as pipe "a", resource "a" of this program. Remove this resource, or give it another table. To load the data twice, set replacementPolicy: "allow".',
    },
  },
  {
    claim: "refuses a copy of a pipe of the stack",
    program: [existingPipe("orders"), newPipe("copy")],
    ...MANAGED,
    refusals: { copy: COPY },
  },
  {
    claim: "refuses a copy that is checked first, and only that",
    program: [newPipe("renamed"), existingPipe("orders")],
    ...MANAGED,
    refusals: { renamed: RENAMED },
  },
  {
    claim: "refuses the pipe beside a copy, whose policy counts, if the state cannot be read",
    program: [newPipe("copy"), existingPipe("orders")],
    refusals: {
      orders:
        'pipe "orders" would load the same source into the same table as pipe "copy", resource "copy" of this program. Remove "copy", or give it another table. To load the data twice, set replacementPolicy: "allow" on "copy".',
    },
  },
  {
    claim: "refuses a copy of a pipe that the program adopts",
    program: [existingPipe("orders", args({ adopt: ID })), newPipe("copy")],
    ...UNMANAGED,
    refusals: { copy: COPY },
  },
  {
    claim: "refuses a copy of a pipe that would allow one",
    program: [existingPipe("orders", ALLOWING), newPipe("copy")],
    ...MANAGED,
    refusals: { copy: COPY },
  },
  {
    claim: "names two of one name by their types",
    program: [newPipe("my:Team$Pipe::orders", args({ name: "orders" })), newPipe("orders")],
    refusals: {
      orders:
        'pipe "orders" would load the same source into the same table as pipe "orders", resource "my:Team$Pipe::orders" of this program. Remove this resource, or give it another table. To load the data twice, set replacementPolicy: "allow".',
    },
  },
  {
    claim: "accepts a copy of a pipe that does not load",
    program: [existingPipe("orders"), newPipe("copy")],
    stack: [stackPipe("orders")],
    service: [servicePipe("orders", "Stopped")],
  },
  {
    claim: "accepts a copy of a pipe that does not load, which the program adopts",
    program: [existingPipe("orders", args({ adopt: ID })), newPipe("copy")],
    service: [servicePipe("orders", "Completed")],
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
  { claim: "accepts two new ones, if the second allows it", program: [newPipe("a"), newPipe("b", ALLOWING)] },
  { claim: "accepts two new ones, if the first allows it", program: [newPipe("b", ALLOWING), newPipe("a")] },
  {
    claim: "accepts what the stack has twice",
    program: [existingPipe("a"), existingPipe("b")],
    stack: [stackPipe("a"), stackPipe("b")],
  },
  { claim: "accepts new ones of other topics", program: [newPipe("a"), newPipe("b", OTHER_TOPIC)] },
  {
    claim: "accepts new ones with unknown sources",
    program: [newPipe("a", UNKNOWN_SOURCE), newPipe("b", UNKNOWN_SOURCE)],
  },
])("beside pipes of the program, a check $claim", expectRefusals);

test.each<Omit<Case, "program">>([
  { claim: "without an alias", ...MANAGED },
  { claim: "by the state if the list cannot be read", stack: MANAGED.stack, list: "unread" },
  { claim: "by the state if the list is incomplete", stack: MANAGED.stack, list: "incomplete" },
  { claim: "by the state if the list may be behind", stack: MANAGED.stack, list: "behind" },
  {
    claim: "beside a pipe that Pulumi retains, whatever its policy is",
    stack: [stackPipe("orders", DELETING, { retainOnDelete: true })],
    service: [servicePipe("orders")],
  },
])("beside pipes of the stack, a check refuses a rename $claim", (others) => {
  expectRefusals({ ...others, program: [newPipe("renamed")], refusals: { renamed: RENAMED } });
});

test.each<Case>([
  {
    claim: "names no argument name, if the program declares the name",
    program: [newPipe("renamed", args({ name: "orders" }))],
    ...MANAGED,
    refusals: {
      renamed: `pipe "orders" would load the same source into the same table as pipe "orders" (${ID}), resource "orders" of the stack. If "renamed" is that resource, renamed or moved, add the option aliases: ["${URN}"]. If it is a copy, give it another table. To load the data twice, set replacementPolicy: "allow".`,
    },
  },
  {
    claim: "names the resource of a pipe that was moved to another parent without an alias",
    program: [newPipe("my:Team$Pipe::orders", args({ name: "orders" }))],
    ...MANAGED,
    refusals: {
      "my:Team$Pipe::orders": `pipe "orders" would load the same source into the same table as pipe "orders" (${ID}), resource "orders" of the stack. If "orders" is that resource, renamed or moved, add the option aliases: ["${URN}"]. If it is a copy, give it another table. To load the data twice, set replacementPolicy: "allow".`,
    },
  },
  {
    claim: "names the type of the other form",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders", args(), { form: "native" })],
    refusals: {
      renamed: `pipe "renamed" would load the same source into the same table as pipe "orders" (${ID}), resource "orders" of the stack. If "renamed" is that resource, renamed or moved, add the option aliases: ["urn:pulumi:dev::shop::datapipes:index:Pipe::orders"] and the argument name: "orders". If it is a copy, give it another table. To load the data twice, set replacementPolicy: "allow".`,
    },
    list: "unread",
  },
  {
    claim: "refuses a new pipe with one of the table mappings of another",
    program: [newPipe("renamed", tables("a", "c"))],
    stack: [stackPipe("orders", tables("a", "b"))],
    list: "unread",
    refusals: { renamed: RENAMED },
  },
  {
    claim: "accepts a table mapping that the program takes from another pipe",
    program: [existingPipe("orders", tables("b")), newPipe("new", tables("a"))],
    stack: [stackPipe("orders", tables("a", "b"))],
    list: "unread",
  },
  {
    claim: "accepts a new pipe for one that the run deletes",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders", DELETING)],
    service: [servicePipe("orders")],
  },
  {
    claim: "accepts a new pipe for one that does not load",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders")],
    service: [servicePipe("orders", "Failed")],
  },
  {
    claim: "accepts a new pipe for one that does not load, as far as the state knows",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders", args(), { outputs: { state: "Paused" } })],
    list: "unread",
  },
  {
    claim: "accepts a new pipe for one that a complete list does not have",
    program: [newPipe("renamed")],
    stack: [stackPipe("orders")],
  },
  {
    claim: "accepts the create of a pipe in the stack",
    program: [newPipe("orders")],
    stack: [stackPipe("orders")],
    list: "behind",
  },
  {
    claim: "accepts a new pipe beside one whose source is encrypted",
    program: [newPipe("new")],
    stack: [stackPipe("orders", ENCRYPTED_SOURCE)],
    list: "unread",
  },
  { claim: "accepts a pipe that allows it", program: [newPipe("renamed", ALLOWING)], ...MANAGED },
])("beside pipes of the stack, a check $claim", expectRefusals);

const NEW = [newPipe("new")];

test.each<Case>([
  {
    claim: "refuses a forgotten import",
    program: NEW,
    ...UNMANAGED,
    refusals: { new: BESIDE_SERVICE },
  },
  {
    claim: "refuses a pipe beside one of an incomplete list",
    program: NEW,
    ...UNMANAGED,
    list: "incomplete",
    refusals: { new: BESIDE_SERVICE },
  },
  {
    claim: "refuses a pipe beside one in a state that the provider does not know",
    program: NEW,
    service: [servicePipe("orders", "Mending")],
    refusals: { new: BESIDE_SERVICE },
  },
  { claim: "accepts an adoption", program: [existingPipe("orders", args({ adopt: ID }))], ...UNMANAGED },
  {
    claim: "accepts a new pipe beside one that another resource adopts and changes",
    program: [existingPipe("orders", { ...OTHER_TOPIC, adopt: ID.toUpperCase() }), newPipe("new")],
    ...UNMANAGED,
  },
  { claim: "accepts a pipe that this run has created", program: NEW, ...UNMANAGED, made: ID },
  { claim: "accepts a new pipe if the list cannot be read", program: NEW, list: "unread" },
  { claim: "accepts a pipe that allows it", program: [newPipe("new", ALLOWING)], ...UNMANAGED },
  { claim: "accepts a replacement, which the policy allowed", program: [existingPipe("new")], ...UNMANAGED },
  { claim: "accepts an unknown source", program: [newPipe("new", UNKNOWN_SOURCE)], ...UNMANAGED },
])("beside pipes of the service, a check $claim", expectRefusals);

test.each(["Paused", "Stopped", "Completed", "Failed", "InternalError"])(
  "beside a pipe of the service in the state %s, a check accepts a new pipe",
  (state) => {
    expect(refusalsOf({ claim: state, program: NEW, service: [servicePipe("orders", state)] })).toEqual({});
  },
);
