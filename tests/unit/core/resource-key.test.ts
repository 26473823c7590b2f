import * as pulumi from "@pulumi/pulumi";
import { hiddenInputsOf } from "../../../provider/src/core/resource-key";

test.each<[what: string, opts: pulumi.CustomResourceOptions, hidden: object]>([
  ["its key", {}, { __key: "a" }],
  ["nothing of an empty option replaceWith", { replaceWith: [] }, { __key: "a" }],
  ["nothing if the program reads it by its id", { id: "1" }, {}],
  ["nothing if the engine has its URN", { urn: "urn:pulumi:s::p::t::a" }, {}],
])("a resource sends the plugin %s", (_, opts, hidden) => {
  expect(hiddenInputsOf("Thing", "a", opts)).toStrictEqual(hidden);
});

test("a resource tells the plugin that it has the option replaceWith", async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name }) => ({ id: `${name}-id`, state: {} }),
    call: () => ({}),
  });
  const other = new pulumi.ComponentResource("test:index:Group", "other");
  expect(hiddenInputsOf("Thing", "a", { replaceWith: [other] })).toStrictEqual({
    __key: "a",
    __replaceWith: true,
  });
});
