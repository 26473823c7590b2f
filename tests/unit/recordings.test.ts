import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { repository } from "../../scripts/made-files";
import { SECRETS } from "../../scripts/recordings/recorder";

const textsIn = (folder: string): readonly string[] =>
  readdirSync(path.join(repository, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"));

test("a kept recording has no secret, and no duration, path, address or id of a machine", () => {
  for (const text of textsIn("docs/recordings")) {
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).not.toMatch(
      /\d\.\d+s\b|\/tmp\/|127\.0\.0\.1|localhost|-4[0-9a-f]{3}-[89ab][0-9a-f]{2}[1-9a-f]-/,
    );
  }
});
