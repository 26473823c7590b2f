import { RESOURCES } from "../../tools/reference/catalogue";
import { examplesOf, NODEJS_PACKAGE, typescriptOf } from "../../tools/reference/plugin-schema/examples";
import { diagnosticsOf } from "./compiler";

/** The generated SDK has the names and shapes of the package. */
const asPackage = (text: string): string => text.replace(NODEJS_PACKAGE, "pulumi-datapipes");

test("the examples of the plugin's schema compile, and one with a misspelt name does not", async () => {
  const examples = await Promise.all(RESOURCES.map(({ type }) => examplesOf(type)));
  const texts = examples.flat().map((example) => asPackage(typescriptOf(example)));
  const files = Object.fromEntries(texts.map((text, index) => [`plugin-example-${index}.ts`, text]));
  expect(texts.join("\n")).toContain('config.requireSecret("kafkaPassword")');
  const wrong = { "plugin-example-wrong.ts": (texts[0] ?? "").replace("topics:", "topic:") };
  const messages = diagnosticsOf([], { ...files, ...wrong }, { noUnusedLocals: false });
  expect(messages.map(({ file }) => file.replace(/.*\//, ""))).toEqual(["plugin-example-wrong.ts"]);
});
