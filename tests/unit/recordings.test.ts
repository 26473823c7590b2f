import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { repository } from "../../scripts/made-files";
import { SECRETS } from "../../scripts/recordings/recorder";

const folder = path.join(repository, "docs/recordings");

const OF_A_MACHINE: readonly RegExp[] = [
  /\d\.\d+s\b/, // A duration.
  /\/tmp\//,
  /127\.0\.0\.1|localhost/,
  /-4(?!000-8000-)[0-9a-f]{3}-[89ab]/, // A random UUID.
];

test.each(readdirSync(folder))("the recording %s has no secret, duration, path, address or id", (file) => {
  const text = readFileSync(path.join(folder, file), "utf8");
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  for (const pattern of OF_A_MACHINE) expect(text).not.toMatch(pattern);
});
