import { textOf } from "../../scripts/made-files";
import { record } from "../../scripts/recordings/scenarios";

// All of them take minutes: `npm run recordings`.
test("the picture of the README and the preview of a table mapping are what the CLI shows now", async () => {
  for (const [name, text] of await record(["mapping", "picture"]))
    expect(text).toBe(await textOf(`docs/recordings/${name}`));
});
