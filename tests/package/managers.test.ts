import { diagnosisOf } from "../kit/doctor";
import { installedProject, installedSimulator } from "./installed-project";
import type { PackageManagerName } from "./package-managers";
import { minimal, pipesProgram } from "../kit/pipes";
import { programForms, type ProgramFormName } from "./program-forms";

/** Each package manager and each form of programs at least once. */
const pairs: readonly [PackageManagerName, ProgramFormName][] = [
  ["pnpm", "TypeScript, ES module, ts-node"],
  ["yarn", "TypeScript, CommonJS, tsx"],
  ["npm", "TypeScript, CommonJS, ts-node"],
  ["npm", "JavaScript, ES module"],
  ["yarn-classic", "TypeScript, ES module, tsx"],
  ["bun", "JavaScript, CommonJS"],
];
/** With `PACKAGES_ALL=1`, `npm run test:all` tries all pairs; without it, the first two. */
const all = process.env["PACKAGES_ALL"] === "1";

/** A pipe, and outputs that only work in this kind of module. */
function programOf(form: ProgramFormName): string {
  const { main, isModule } = programForms[form];
  const exported = main === "index.ts" || isModule ? "export const " : "exports.";
  return `${pipesProgram({ orders: { ...minimal.kafka, deletionPolicy: "delete" } })}
    ${exported}kind = ${isModule ? `import.meta.url.slice(0, 5)` : "typeof __dirname"};
    ${exported}nodeArguments = process.execArgv.join(" ");
    ${exported}pipes = ${isModule ? "(await datapipes.getPipes()).pipes.length" : "datapipes.getPipesOutput().pipes.length"};
    ${exported}project = pulumi.getProject();
  `;
}

test.each(all ? pairs : pairs.slice(0, 2))(
  "%s installs the packages so that a program works (%s), and the doctor finds nothing",
  async (manager, form) => {
    const stack = await installedProject({ manager, form, program: programOf(form) });
    const env = await installedSimulator(stack.project);
    await stack.up({ env });
    const { isModule, options } = programForms[form];
    expect(await stack.outputs()).toEqual({
      kind: isModule ? "file:" : "string",
      nodeArguments: expect.stringContaining(options?.nodeargs ?? "") as string,
      pipes: 0,
      project: "user",
    });
    expect((await stack.export()).ofType("Pipe")).toHaveLength(1);
    const doctor = ["node_modules/pulumi-datapipes/bin/datapipes.js", "doctor", "--json"];
    expect(diagnosisOf(await stack.node(doctor, { env, expectFailure: "either" })).bad).toEqual([]);
    await stack.destroy({ env });
    expect((await stack.export()).resources).toEqual([]);
  },
);
