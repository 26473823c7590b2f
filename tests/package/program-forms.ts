import { testedVersion } from "../kit/tarballs";

interface ProgramForm {
  readonly main: "index.ts" | "index.js";
  readonly isModule: boolean;
  /** `runtime.options` of the project file. */
  readonly options?: { readonly typescript: boolean; readonly nodeargs: string };
  readonly needs: readonly string[];
}

/** Without the first option, Pulumi would load ts-node as well. */
const WITH_TSX = { options: { typescript: false, nodeargs: "--import tsx" } };

const typescript = (isModule: boolean, runner: "ts-node" | "tsx"): ProgramForm => ({
  main: "index.ts",
  isModule,
  ...(runner === "tsx" && WITH_TSX),
  needs: [runner, "typescript", "@types/node"],
});

const javascript = (isModule: boolean): ProgramForm => ({ main: "index.js", isModule, needs: [] });

export const programForms = {
  "TypeScript, CommonJS, ts-node": typescript(false, "ts-node"),
  "TypeScript, ES module, ts-node": typescript(true, "ts-node"),
  "TypeScript, CommonJS, tsx": typescript(false, "tsx"),
  "TypeScript, ES module, tsx": typescript(true, "tsx"),
  "JavaScript, CommonJS": javascript(false),
  "JavaScript, ES module": javascript(true),
};

export type ProgramFormName = keyof typeof programForms;

/** The files of a project, without its packages. `dependencies` wins over the versions of this repository. */
export function projectOf(
  name: ProgramFormName,
  program: string,
  dependencies: Readonly<Record<string, string>>,
): Record<string, string> {
  const { main, isModule, options, needs } = programForms[name];
  const versions = ["@pulumi/pulumi", ...needs].map((each) => [each, testedVersion(each)] as const);
  const manifest = {
    name: "user",
    version: "1.0.0",
    private: true,
    main,
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
  const { main, isModule } = programForms[name];
  const line = (local: string, from: string): string =>
    main === "index.ts" || isModule
      ? `import * as ${local} from "${from}";\n`
      : `const ${local} = require("${from}");\n`;
  return line("pulumi", "@pulumi/pulumi") + line("datapipes", "pulumi-datapipes");
}
