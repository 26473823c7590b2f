import fc from "fast-check";
import { Limiter } from "../../provider/src/api/rate-limiter";
import { secretsIn } from "../../provider/src/api/redaction";
import { SOURCE_KINDS } from "../../provider/src/resources/pipe/schema";
import { leaks } from "../../testkit/canary";
import { ManualClock } from "../../testkit/manual-clock";
import { redact } from "../../testkit/redact";
import { anyPipe, CANARIES } from "./any-pipe";
import { holds } from "./parameters";

/** Texts as passwords are, and as they should not be. */
const secret = fc.oneof(
  fc.string({ minLength: 8, maxLength: 40 }),
  fc.string({ unit: "binary", minLength: 8, maxLength: 40 }),
  fc.base64String({ minLength: 8, maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...Array.from("\"\\/+ %=&é€🔑\n\u0000<>'")),
    minLength: 8,
    maxLength: 20,
  }),
);
const around = fc.string({ maxLength: 30 });

describe("redact removes every form of any secret", () => {
  const readable = (text: string): string => Buffer.from(text).toString("utf8");

  test.each<[form: string, write: (secret: string, before: string, after: string) => string]>([
    ["plain", (text, before, after) => `${before}${text}${after}`],
    ["inside JSON", (text, before, after) => JSON.stringify({ before, text, after })],
    ["inside JSON inside JSON", (text) => JSON.stringify(JSON.stringify({ text }))],
    [
      "URL-encoded",
      (text, before, after) => encodeURIComponent(`${readable(before)}${text}${readable(after)}`),
    ],
    ["in a query", (text) => new URLSearchParams({ text }).toString()],
  ])("%s", (_form, write) =>
    holds(
      fc.property(secret, around, around, (text, before, after) => {
        const redacted = redact(write(text, before, after), [text]);
        const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
        expect(forms.filter((form) => redacted.includes(form))).toEqual([]);
      }),
    ),
  );

  test("in base64 of any text around it, at each of the three places where it may begin", () => {
    const long = secret.filter((text) => Buffer.from(text).length >= 10);
    const bytes = fc.uint8Array({ maxLength: 9 });
    return holds(
      fc.property(long, bytes, bytes, (text, before, after) => {
        const whole = Buffer.concat([before, Buffer.from(text), after]);
        for (const encoding of ["base64", "base64url"] as const) {
          const redacted = redact(whole.toString(encoding), [text]);
          const found = leaks({ redacted }, [text]).filter(({ form }) => form.startsWith("base64"));
          expect(found).toEqual([]);
        }
      }),
    );
  });
});

describe("redact removes all secrets of any pipe from a text with its body", () => {
  const ascii = (text: string): string =>
    text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

  test.each<[form: string, write: (body: string) => string]>([
    ["as JSON", (body) => body],
    ["as JSON in ASCII", ascii],
    ["quoted in JSON", (body) => JSON.stringify({ error: `cannot use ${body}` })],
    ["URL-encoded", encodeURIComponent],
    ["in a query", (body) => new URLSearchParams({ body }).toString()],
    ["in base64", (body) => Buffer.from(body).toString("base64")],
    ["in base64url", (body) => Buffer.from(`x${body}`).toString("base64url")],
  ])("%s", (_form, write) => {
    const pipe = fc.oneof(...SOURCE_KINDS.map(anyPipe));
    return holds(
      fc.property(pipe, (body) => {
        const redacted = redact(write(JSON.stringify(body)), secretsIn(body));
        expect(leaks({ redacted }, CANARIES)).toEqual([]);
      }),
    );
  });
});

test("redact keeps a text without secrets", () =>
  holds(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", "c", "d", " "), maxLength: 60 }), (text) => {
      expect(redact(text, ["UPPERCASE-secret"])).toBe(text);
    }),
  ));

/** One request of a caller, and its time after the request before. */
interface Call {
  readonly gap: number;
  /** The duration of its request. */
  readonly takes: number;
  /** When the server counts it, as a fraction of its duration. */
  readonly counted: number;
  /** The pause in ms that the server asks for in its answer. */
  readonly pause: number;
}

interface Request {
  readonly caller: number;
  readonly came: number;
  readonly start: number;
  readonly counted: number;
}

const END = 1_000_000_000;

async function requestsOf(limiter: Limiter, clock: ManualClock, calls: readonly Call[]) {
  const requests: Request[] = [];
  const pauses: { readonly from: number; readonly to: number }[] = [];
  const send = async (caller: number, { takes, counted, pause }: Call): Promise<void> => {
    const came = clock.now();
    const finish = await limiter.start();
    const start = clock.now();
    requests.push({ caller, came, start, counted: start + takes * counted });
    await clock.sleep(takes);
    if (pause > 0) {
      limiter.shared.refuses(start, pause);
      pauses.push({ from: clock.now(), to: clock.now() + pause });
    }
    finish();
  };
  let time = 0;
  for (const [caller, call] of calls.entries()) {
    await clock.run((time += call.gap));
    void send(caller, call);
  }
  await clock.run(time + END);
  return { requests, pauses };
}

const often = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max }));

const calls = (takes: fc.Arbitrary<number>, pause: fc.Arbitrary<number>): fc.Arbitrary<Call[]> =>
  fc.array(fc.record({ gap: often(12_000), takes, counted: fc.constantFrom(0, 0.25, 0.5, 1), pause }), {
    minLength: 1,
    maxLength: 40,
  });

const TEN = { requests: 10, seconds: 10 };
const anyLimit = fc.oneof(
  fc.constant(TEN),
  fc.record({ requests: fc.integer({ min: 1, max: 5 }), seconds: fc.integer({ min: 1, max: 10 }) }),
);

/** The most moments in any window of the length, its far edge included. */
const mostIn = (window: number, moments: readonly number[]): number =>
  Math.max(...moments.map((at) => moments.filter((other) => other >= at && other <= at + window).length));

describe.each<[what: string, takes: fc.Arbitrary<number>, pause: fc.Arbitrary<number>]>([
  ["requests that are answered at once", fc.constant(0), fc.constant(0)],
  ["requests that end late", often(30_000), fc.constant(0)],
  ["requests that end late, and pauses that the server asks for", often(30_000), often(20_000)],
])("for any arrivals of %s", (_what, takes, pause) => {
  const law = (assertion: (limit: typeof TEN, all: Awaited<ReturnType<typeof requestsOf>>) => void) =>
    holds(
      fc.asyncProperty(anyLimit, calls(takes, pause), async (limit, list) => {
        const clock = new ManualClock();
        const all = await requestsOf(new Limiter(limit, clock), clock, list);
        expect(all.requests.map(({ caller }) => caller)).toEqual(list.map((_, index) => index));
        assertion(limit, all);
      }),
    );

  test("no window has more starts than allowed, as the caller sees them", () =>
    law(({ requests: most, seconds }, { requests }) => {
      expect(
        mostIn(
          seconds * 1000,
          requests.map(({ start }) => start),
        ),
      ).toBeLessThanOrEqual(most);
    }));

  test("no window has more requests than allowed as the server counts them, whenever they arrive", () =>
    law(({ requests: most, seconds }, { requests }) => {
      expect(
        mostIn(
          seconds * 1000,
          requests.map(({ counted }) => counted),
        ),
      ).toBeLessThanOrEqual(most);
    }));

  test("no request starts before its call or during a pause, and the first starts at once", () =>
    law((_limit, { requests, pauses }) => {
      expect(requests.filter(({ came, start }) => start < came)).toEqual([]);
      const early = ({ start }: Request) => pauses.some(({ from, to }) => start > from && start < to);
      expect(requests.filter(early)).toEqual([]);
      expect(requests[0]?.start).toBe(requests[0]?.came);
    }));
});
