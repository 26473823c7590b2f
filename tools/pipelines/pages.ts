import { textOf, type MadeFile } from "../made-files";
import { refilled } from "../reference/markdown";
import type { PipelineRun } from "./runs";

/** The pages that show runs. */
const PAGES = ["github-actions", "gitlab-ci", "pulumi-deployments", "kubernetes-operator"].map(
  (folder) => `examples/pipelines/${folder}/README.md`,
);

const MARKED = /(<!-- run: (.+?) -->)\n[^]*?(<!-- \/run -->)/g;

/** The names of the runs that a page shows. */
export const namesIn = ({ text }: MadeFile): readonly string[] =>
  [...text.matchAll(MARKED)].map(([, , name = ""]) => name);

/** The pages with what the runs showed between their marks. */
export function pagesWith(runs: ReadonlyMap<string, PipelineRun>): Promise<readonly MadeFile[]> {
  const blocks = new Map(
    [...runs].map(([name, { code, text }]) => [
      name,
      `Exit code ${code}:\n\n\`\`\`text\n${text.trim()}\n\`\`\``,
    ]),
  );
  return Promise.all(
    PAGES.map(async (file) => ({ path: file, text: refilled(await textOf(file), blocks, MARKED) })),
  );
}
