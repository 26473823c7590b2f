import { readFileSync } from "node:fs";
import fc from "fast-check";
import ts from "typescript";
import { importFrom, runOf } from "../../provider/src/cli/import/import";
import { SOURCE_KINDS } from "../../provider/src/resources/pipe/source-schema";
import { answer, accountOf, newSimulator, type Simulator } from "../kit/simulator";
import { temporaryFolder } from "../kit/cleanup";
import { complete } from "../kit/pipes";
import { UNKNOWN_MARKER, type Json } from "../kit/json";
import { holds } from "./parameters";

const { serviceIds, ...credentials } = accountOf(1);
const [SERVICE = ""] = serviceIds;

/** Texts that would be code, comments or commands if they were not literals. */
const hostile = fc.oneof(
  fc.constantFrom(
    "=1/*xxxx",
    "*/;eval('1');/*",
    "`${process.exit(9)}`",
    "$(touch x); `touch x`",
    "a\u2028eval(1)//",
    '"});eval(1);({"',
    "\\",
    "</script>",
    "--force",
    "constructor",
    "__proto__",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);

const anyValue = fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>);

/** The value with some leaves in place of others, and with unknown members. */
const changed = (value: Json): fc.Arbitrary<Json> => {
  if (Array.isArray(value)) return fc.tuple(...value.map(changed));
  if (typeof value !== "object" || value === null)
    return fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: anyValue });
  const members = Object.entries(value).map(([name, member]) => [name, changed(member)] as const);
  return fc
    .tuple(fc.record(Object.fromEntries(members)), fc.dictionary(hostile, anyValue, { maxKeys: 1 }))
    .map((parts) => Object.assign({}, ...parts.toReversed()) as Json);
};

const id = fc.oneof(
  { weight: 2, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.oneof(hostile, fc.constant(UNKNOWN_MARKER)) },
);
/** Some have no letter for a variable, some are the same. */
const name = fc.oneof(fc.constantFrom("***", "orders"), anyValue);
const listedPipe = fc
  .tuple(fc.constantFrom(...SOURCE_KINDS), id, name)
  .chain(([kind, pipeId, pipeName]) =>
    changed(complete[kind]).map((pipe) =>
      Object.assign({}, pipe, { id: pipeId, serviceId: SERVICE, name: pipeName }),
    ),
  );
/** A pipe, and a second one with the same values. */
const withCopy = (pipe: Json): Json[] => {
  const { id: pipeId, name: pipeName } = pipe as Partial<Record<string, Json>>;
  return typeof pipeId === "string" && typeof pipeName === "string"
    ? [pipe, Object.assign({}, pipe, { id: `0${pipeId.slice(1)}`, name: `${pipeName} 2` })]
    : [pipe];
};

const anyList = fc.array(fc.oneof({ weight: 9, arbitrary: listedPipe }, { weight: 1, arbitrary: anyValue }), {
  maxLength: 4,
});

/** What the program calls, and names of the API document. */
const OWN_NAMES = [
  "pulumi",
  "datapipes",
  "config",
  "Config",
  "Pipe",
  "requireSecret",
  "adopt",
  "serviceId",
  "organizationId",
];
const COMMENT = "/**\n * Written by `datapipes import`.\n";

const CONSTANT = new RegExp(
  `^(?:(?:pipe|postgres|scaling)Settings|(?:${SOURCE_KINDS.join("|")})Source|destination|(?:service|organization)Id)$`,
);

/** The names of the members of a value, at any depth. */
const membersOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [name, ...membersOf(member)])
    : [];

const NAMES = new Set([...OWN_NAMES, ...Object.values(complete).flatMap(membersOf)]);

const { SyntaxKind } = ts;

const COMMENTS = [SyntaxKind.SingleLineCommentTrivia, SyntaxKind.MultiLineCommentTrivia];
const TEMPLATES = [SyntaxKind.NoSubstitutionTemplateLiteral, SyntaxKind.TemplateHead];

/** The program parses. A service may choose its literals, but no identifier, comment or template. */
function expectOwnTokens(program: string): void {
  const { diagnostics = [] } = ts.transpileModule(program, { reportDiagnostics: true });
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  const identifiers: string[] = [];
  const comments: string[] = [];
  const templates: string[] = [];
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, program);
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token === SyntaxKind.Identifier) identifiers.push(scanner.getTokenValue());
    if (COMMENTS.includes(token)) comments.push(scanner.getTokenText());
    if (TEMPLATES.includes(token)) templates.push(scanner.getTokenText());
  }
  expect(identifiers.filter((name) => !NAMES.has(name) && !CONSTANT.test(name))).toEqual([]);
  expect(comments.filter((comment) => !comment.startsWith(COMMENT))).toEqual([]);
  expect(templates).toEqual([]);
}

const anyMode = fc.constantFrom("import" as const, "adopt" as const);
const anyOptions = fc.record({
  withCredentials: fc.boolean(),
  split: fc.constantFrom(undefined, "kind" as const),
});

type Options = typeof anyOptions extends fc.Arbitrary<infer T> ? T : never;

interface Imported {
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** Imports the pipes of a service; undefined if its answer is no list of objects. */
async function imported(
  simulator: Simulator,
  folder: string,
  mode: "import" | "adopt",
  { split, ...chosen }: Options,
): Promise<Imported | undefined> {
  const settings: Record<string, string> = { ...credentials, baseUrl: simulator.url, rateLimit: "off" };
  let text = "";
  const output = { result: (part: string) => (text += part), progress: () => undefined };
  const run = runOf((key) => settings[key.replace("datapipes:", "")], output);
  const options = { out: folder, service: [SERVICE], mode, force: true, json: true, ...chosen };
  try {
    await importFrom(run, { ...options, ...(split && { split }) }, output);
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid-response" });
    return undefined;
  }
  return JSON.parse(text) as Imported;
}

test("whatever a service answers, no text of it becomes code in an imported program", async () => {
  const simulator = await newSimulator({ accounts: [accountOf(1)] });
  const folder = await temporaryFolder("imported");
  let written = 0;
  await holds(
    fc.asyncProperty(anyList, anyMode, anyOptions, async (answered, mode, options) => {
      // A copy of each pipe shares all blocks with it.
      const result = Array.isArray(answered)
        ? answered.flatMap((pipe) => (pipe === null ? [pipe] : withCopy(pipe)))
        : answered;
      simulator.control.clearFaults();
      simulator.control.fault({ operationId: "listPipes", ...answer(result) });
      const wrote = await imported(simulator, folder, mode, options);
      if (wrote === undefined || wrote.files.length === 0) return;
      written += 1;
      for (const file of wrote.files.filter((file) => file.endsWith(".ts")))
        expectOwnTokens(readFileSync(file, "utf8"));
      const commands = wrote.commands.join("\n").replaceAll(folder, "");
      expect(commands).toMatch(/^[\p{L}\p{N}\s./=_-]*$/u);
    }),
    20,
  );
  expect(written).toBeGreaterThan(0);
});
