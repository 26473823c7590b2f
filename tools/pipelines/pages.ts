import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { PipelineRun } from "./runs";

const repository = path.resolve(__dirname, "../..");

/** The pages that show runs. */
export const PAGES = ["github-actions", "gitlab-ci", "pulumi-deployments", "kubernetes-operator"].map(
  (folder) => `examples/pipelines/${folder}/README.md`,
);

const MARKED = /(<!-- run: (.+?) -->\n)[^]*?(<!-- \/run -->)/g;

/** The names of the runs that a page shows. */
export const namesIn = (page: string): readonly string[] =>
  [...page.matchAll(MARKED)].map(([, , name = ""]) => name);

/** A page with what the runs showed between its marks. */
export function withRuns(page: string, runs: ReadonlyMap<string, PipelineRun>): string {
  return page.replace(MARKED, (_, begin: string, name: string, end: string) => {
    const run = runs.get(name);
    if (run === undefined)
      throw new Error(`no run is named ${name}; there are ${[...runs.keys()].join(", ")}`);
    return `${begin}\nExit code ${run.code}:\n\n\`\`\`text\n${run.text.trim()}\n\`\`\`\n\n${end}`;
  });
}

export const pageText = (page: string): Promise<string> => readFile(path.join(repository, page), "utf8");

/** Writes the pages whose runs are not as they should be, and returns their names. */
export async function fillPages(runs: ReadonlyMap<string, PipelineRun>): Promise<readonly string[]> {
  const written: string[] = [];
  for (const page of PAGES) {
    const text = await pageText(page);
    const next = withRuns(text, runs);
    if (next === text) continue;
    await writeFile(path.join(repository, page), next);
    written.push(page);
  }
  return written;
}
