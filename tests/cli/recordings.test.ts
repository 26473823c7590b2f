import { keptRecordings } from "../../tools/recordings/files";
import { record } from "../../tools/recordings/record";

// All of them take minutes: `npm run recordings -- --check`.
test("a recording that a guide shows is what the CLI shows now", async () => {
  const name = "preview-mapping";
  const made = await record([name]);
  expect(made.get(name)).toBe((await keptRecordings()).get(name));
});
