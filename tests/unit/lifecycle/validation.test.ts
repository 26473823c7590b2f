import { object, optional, text } from "../../../provider/src/lifecycle/comparison/field-schema";
import { UNKNOWN } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import {
  describeFailure,
  typeFailures,
  withoutMistyped,
} from "../../../provider/src/lifecycle/comparison/validation";
import { reversePrivateEndpointDefinition } from "../../../provider/src/resources/reverse-private-endpoint/definition";
import { complete } from "../../kit/pipes";
import { checkFailuresOf, withProperty } from "../../kit/lifecycle";

const { kafka, objectStorage: storage } = complete;
const uuid = "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000";

test.each<[path: string, value: PropertyValue, failure: string]>([
  ["deletionPolicy", "destroy", 'deletionPolicy must be one of "retain", "delete", got "destroy"'],
  ["name", 5, "name must be a string, got 5"],
  ["name", {}, "name must be a string, got an object"],
  ["scaling.replicas", 1.5, "scaling.replicas must be a whole number, got 1.5"],
  ["adopt", "p\u009b1", `adopt ${uuid}, got "p\\u009b1"`],
  ["adopt", "x".repeat(60), `adopt ${uuid}, got "${"x".repeat(60)}"`],
  ["adopt", "x".repeat(61), `adopt ${uuid}`],
  ["fieldMappings", "a", "fieldMappings must be a list, got a string"],
  ["source", undefined, "source is required (object)"],
  ["waitFor", { states: [] }, "waitFor.states must name at least one state"],
])("a failure quotes the value: %s = %j", (path, value, failure) => {
  expect(checkFailuresOf(withProperty(kafka, path, value))).toEqual([failure]);
});

test("a failure does not repeat a text that is too long", () => {
  const endpoint = { description: "d".repeat(256), type: "VPC_ENDPOINT_SERVICE" };
  expect(checkFailuresOf(endpoint, reversePrivateEndpointDefinition)).toEqual([
    "description must have at most 255 characters",
  ]);
});

test.each<[path: string, value: PropertyValue]>([
  ["source.objectStorage.accessKey", "canary-secret"],
  ["source.objectStorage.accessKey.secretKey", ["canary-secret"]],
  ["source.objectStorage.connectionString", 424_242],
  ["source.objectStorage", "AccountKey=canary-secret"],
  ["source", "canary-secret"],
])("a failure does not repeat a value that is or may be secret: %s", (path, value) => {
  const said = checkFailuresOf(withProperty(storage, path, value)).join("\n");
  expect(said).toContain(`${path} must be`);
  expect(said).not.toMatch(/canary|424242/);
});

test("a failure shows an unknown name inside a secret only if it resembles a known one", () => {
  const schema = { login: object({ user: optional(text), password: optional(text) }) };
  const login = { usr: "u", "canary-secret": "s", pasword: "p" };
  const said = (given: PropertyMap): string[] =>
    typeFailures(schema, { login: given }, new Set(["login"])).map(describeFailure);
  const misspelt = [
    'login.usr is not an argument; did you mean "user"?',
    'login.pasword is not an argument; did you mean "password"?',
  ];
  expect(said(login)).toEqual([...misspelt, "login has an unknown member; expected one of user, password"]);
  expect(said({ usr: "u", pasword: "p" })).toEqual(misspelt);
});

test("the rules get an unknown value in place of a mistyped one, and all others as they are", () => {
  const inputs = { name: 1, none: undefined, list: ["a", 2, "c"], place: { room: 3, floor: "4" } };
  const paths = [["none"], ["name"], ["list", 1], ["place", "room"]];
  const failures = paths.map((path) => ({ path, reason: "is wrong" }));
  const known = {
    name: UNKNOWN,
    none: undefined,
    list: ["a", UNKNOWN, "c"],
    place: { room: UNKNOWN, floor: "4" },
  };
  expect(withoutMistyped(inputs, failures)).toStrictEqual(known);
});
