import { textOf } from "../../tools/made-files";
import { record } from "../../tools/recordings/scenarios";

// All of them take minutes: `npm run recordings`.
test("the picture of the README and the preview of a table mapping are what the CLI shows now", async () => {
  for (const [name, text] of await record(["mapping", "picture"]))
    expect(text).toBe(await textOf(`docs/recordings/${name}`));
});
