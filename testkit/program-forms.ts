import { readFileSync } from "node:fs";
import path from "node:path";

/** How a program is written, and how Pulumi runs it. */
export interface ProgramForm {
  readonly main: "index.ts" | "index.js";
  readonly isModule: boolean;
  /** `runtime.options` of the project file. */
  readonly options?: { readonly typescript: boolean; readonly nodeargs: string };
  /** The packages that run it, as this repository has them. */
  readonly needs: readonly string[];
}

/** Without the first, Pulumi would load ts-node as well. */
const WITH_TSX = { typescript: false, nodeargs: "--import tsx" };
const TYPES = ["typescript", "@types/node"];

/** The forms of programs that users write. */
export const programForms = {
  "TypeScript, CommonJS, ts-node": { main: "index.ts", isModule: false, needs: ["ts-node", ...TYPES] },
  "TypeScript, ES module, ts-node": { main: "index.ts", isModule: true, needs: ["ts-node", ...TYPES] },
  "TypeScript, CommonJS, tsx": {
    main: "index.ts",
    isModule: false,
    options: WITH_TSX,
    needs: ["tsx", ...TYPES],
  },
  "TypeScript, ES module, tsx": {
    main: "index.ts",
    isModule: true,
    options: WITH_TSX,
    needs: ["tsx", ...TYPES],
  },
  "JavaScript, CommonJS": { main: "index.js", isModule: false, needs: [] },
  "JavaScript, ES module": { main: "index.js", isModule: true, needs: [] },
} as const satisfies Record<string, ProgramForm>;

export type ProgramFormName = keyof typeof programForms;

const repository = path.resolve(__dirname, "..");

/** `tsx` is no package of this repository. */
const OTHER_VERSIONS: Readonly<Record<string, string>> = { tsx: "4.23.15" };

/** The version of a package that this repository tests with. */
export function testedVersion(name: string): string {
  const file = path.join(repository, "node_modules", name, "package.json");
  return OTHER_VERSIONS[name] ?? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** The files of a project, without its packages. `dependencies` wins over the versions of this repository. */
export function projectOf(
  name: ProgramFormName,
  program: string,
  dependencies: Readonly<Record<string, string>>,
): Record<string, string> {
  const { main, isModule, options, needs }: ProgramForm = programForms[name];
  const versions = ["@pulumi/pulumi", ...needs].map((each) => [each, testedVersion(each)] as const);
  const manifest = {
    ...{ name: "user", version: "1.0.0", private: true, main },
    ...(isModule && { type: "module" }),
    dependencies: { ...Object.fromEntries(versions), ...dependencies },
  };
  const compilerOptions = { target: "es2022", module: "nodenext", strict: true, skipLibCheck: true };
  return {
    // YAML has all of JSON.
    "Pulumi.yaml": `name: user\nruntime: ${JSON.stringify({ name: "nodejs", ...(options && { options }) })}\n`,
    "package.json": JSON.stringify(manifest, undefined, 2),
    ...(main === "index.ts" && {
      "tsconfig.json": JSON.stringify({ compilerOptions: { ...compilerOptions, types: ["node"] } }),
    }),
    [main]: program,
  };
}

/** The text that makes names of both modules known to a program of this form. */
export function importsOf(name: ProgramFormName): string {
  const { main, isModule }: ProgramForm = programForms[name];
  return ["pulumi:@pulumi/pulumi", "datapipes:pulumi-datapipes"]
    .map((pair) => pair.split(":"))
    .map(([local = "", from = ""]) =>
      main === "index.ts" || isModule
        ? `import * as ${local} from "${from}";\n`
        : `const ${local} = require("${from}");\n`,
    )
    .join("");
}
