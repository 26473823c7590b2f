import { isResourceOfType, typeToken } from "../../../provider/src/core/datapipes-resource";
import { handlerSource } from "../../../provider/src/core/handler";

test("the text in the state of every stack is what it was from the first version on", () => {
  expect(handlerSource("Pipe")).toBe(
    'exports.handler = () => require("pulumi-datapipes/runtime").handler("Pipe");',
  );
});

test("the type tokens in the state of every stack are what they were from the first version on", () => {
  expect(["Pipe", "ReversePrivateEndpoint", "ServiceSettings"].map(typeToken)).toEqual([
    "pulumi-nodejs:dynamic/datapipes:Pipe",
    "pulumi-nodejs:dynamic/datapipes:ReversePrivateEndpoint",
    "pulumi-nodejs:dynamic/datapipes:ServiceSettings",
  ]);
});

test("recognizes no resource in other values", () => {
  const values = [undefined, null, "Pipe", {}, { __pulumiType: typeToken("Pipe") }];
  expect(values.map((value) => isResourceOfType(value, "Pipe"))).toEqual(values.map(() => false));
});
