import { staleFiles } from "../../tools/made-files";
import { guidesWith, keptRecordings } from "../../tools/recordings/files";
import { SECRETS } from "../../tools/recordings/recorder";
import { SCENARIOS } from "../../tools/recordings/scenarios";

test("every recording is kept, and no other; the guides have the kept ones between their marks", async () => {
  const kept = await keptRecordings();
  const names = SCENARIOS.flatMap(({ recordings }) => recordings);
  expect([...kept.keys()].sort()).toEqual([...names].sort());
  expect(await staleFiles(await guidesWith(kept))).toEqual([]);
});

test("a kept recording has no secret, and no duration, path, address or id of the machine that made it", async () => {
  for (const text of (await keptRecordings()).values()) {
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).not.toMatch(
      /\d\.\d+s\b|\/tmp\/|127\.0\.0\.1|localhost|-4[0-9a-f]{3}-[89ab][0-9a-f]{2}[1-9a-f]-/,
    );
  }
});
