import { keptRecordings } from "../../tools/recordings/files";
import { record } from "../../tools/recordings/record";

// All of them take minutes: `npm run recordings -- --check`.
test.each(["preview-mapping", "preview.svg"])(
  "the recording %s, which a document shows, is what the CLI shows now",
  async (name) => {
    const made = await record([name]);
    expect(made.get(name)).toBe((await keptRecordings()).get(name));
  },
);
