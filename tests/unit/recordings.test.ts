import { Ids, normalized, wrapped } from "../../tools/recordings/normalize";
import { filled, keptRecordings, staleGuides } from "../../tools/recordings/files";
import { SECRETS } from "../../tools/recordings/recorder";
import { SCENARIOS } from "../../tools/recordings/scenarios";

const NAMES = SCENARIOS.flatMap(({ recordings }) => recordings);

test("every recording is kept, and no other; the guides have the kept ones between their marks", async () => {
  const kept = await keptRecordings();
  expect([...kept.keys()].sort()).toEqual([...NAMES].sort());
  expect([...(await staleGuides(kept)).keys()]).toEqual([]);
});

test("a kept recording has no duration, path, address or id of the machine that made it", async () => {
  for (const text of (await keptRecordings()).values())
    expect(text).not.toMatch(
      /\d\.\d+s\b|\/tmp\/|127\.0\.0\.1|localhost|-4[0-9a-f]{3}-[89ab][0-9a-f]{2}[1-9a-f]-/,
    );
});

test("a kept recording has no secret", async () => {
  for (const text of (await keptRecordings()).values())
    for (const secret of SECRETS) expect(text).not.toContain(secret);
});

test("fills the marks of a page, and refuses an unknown name", () => {
  const page = "a\n\n<!-- recording: x -->\n\nold\n\n<!-- /recording -->\n\nb\n";
  const shown = "a\n\n<!-- recording: x -->\n\n```text\n$ x\n```\n\n<!-- /recording -->\n\nb\n";
  expect(filled(page, new Map([["x", "$ x\n"]]))).toBe(shown);
  expect(filled(shown, new Map([["x", "$ x\n"]]))).toBe(shown);
  expect(() => filled(page, new Map())).toThrow("no recording is named x");
});

const place = { url: "http://127.0.0.1:4000", folder: "/tmp/a/project", repository: "/src" };

test("makes ids, addresses and folders the same in every run", () => {
  const seeded = "5d2f8a64-0000-4000-8000-000000000001";
  const ids = new Ids([seeded]);
  const lines = (id: string) => [`pipe ${id} of http://127.0.0.1:4000 in /tmp/a/project`, seeded, id];
  const [first, ...others] = normalized(lines("a1b2c3d4-1111-4222-8333-444455556666"), ids, place);
  expect(first).toBe(
    "pipe 7c3e9d10-0000-4000-8000-000000000001 of https://api.example.com in /home/you/pipes",
  );
  expect(others).toEqual([seeded, "7c3e9d10-0000-4000-8000-000000000001"]);
  const [again] = normalized(lines("ffffffff-1111-4222-8333-444455556666"), new Ids([seeded]), place);
  expect(again).toBe(first);
});

test("takes durations out of a table, whose columns are then as wide as their cells", () => {
  const table = (duration: string) => [
    "     Type       Name  Status              Info",
    ` +   ├─ a:b:C   one   created (${duration})`.padEnd(42) + "[diff: ~x]",
    "     └─ a:b:D   two",
    "",
    "Duration: 7s",
  ];
  const shown = normalized(table("0.35s"), new Ids([]), place);
  expect(shown).toEqual([
    "     Type      Name  Status   Info",
    " +   ├─ a:b:C  one   created  [diff: ~x]",
    "     └─ a:b:D  two",
    "",
    "Duration: 2s",
  ]);
  expect(normalized(table("2s"), new Ids([]), place)).toEqual(shown);
});

test("sorts the leaves of a tree and the messages of a stack, which come in any order", () => {
  const lines = [
    "     Type         Name",
    "     s:Stack      dev",
    " +   ├─ a:b:C     two",
    "     └─ a:b:C     one",
    "",
    "  pulumi:pulumi:Stack (dev):",
    "    pipe two",
    "    pipe one",
    "Resources:",
    "    2 same",
    "    1 other",
  ];
  expect(normalized(lines, new Ids([]), place)).toEqual([
    "     Type         Name",
    "     s:Stack      dev",
    "     ├─ a:b:C     one",
    " +   └─ a:b:C     two",
    "",
    "  pulumi:pulumi:Stack (dev):",
    "    pipe one",
    "    pipe two",
    "Resources:",
    "    2 same",
    "    1 other",
  ]);
});

test("wraps lines where the terminal does", () => {
  expect(wrapped(["abcdef", "", "ab"], 4)).toEqual(["abcd", "ef", "", "ab"]);
});
