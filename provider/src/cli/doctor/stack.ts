import { closest, distance } from "fastest-levenshtein";
import { readdirSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import {
  pulumi,
  readStackConfiguration,
  StackConfigurationError,
  wordsOf,
  type StackConfiguration,
} from "../stack-configuration";
import { failed, ok, warning, type DoctorFinding } from "./finding";
import type { Project } from "./project";
import { withoutCredentials } from "./shown-url";

export interface Stack {
  readonly findings: readonly DoctorFinding[];
  /** Undefined if no stack is selected. */
  readonly name?: string;
  /** The command that selects a stack of the project, if none is selected. */
  readonly selection?: string;
  /** Undefined if it cannot be read. */
  readonly configuration?: StackConfiguration;
}

/** Checks the backend and the stack, and reads the stack's configuration. */
export async function checkStack(project: Project, option?: string): Promise<Stack> {
  if (project.file === undefined && option === undefined) return { findings: [], configuration: new Map() };
  const variable = process.env["PULUMI_STACK"];
  const wanted = option ?? (variable === "" ? undefined : variable);
  const backend = await checkBackend(project);
  if (backend.status === "failed") return { findings: [backend] };
  const chosen = wanted === undefined ? [] : ["--stack", wanted];
  try {
    const name = (await pulumi(["stack", "--show-name", ...chosen], project.folder)).trim();
    const configuration = await readStackConfiguration(wanted, project.folder);
    return { findings: [backend, ok("stack", `The stack is ${name}.`)], name, configuration };
  } catch (error) {
    if (error instanceof StackConfigurationError)
      return { findings: [backend, failed("stack", error.summary, error.nextStep)] };
    return await withoutStack(project, { backend, wanted, words: wordsOf(error) });
  }
}

interface Missing {
  readonly backend: DoctorFinding;
  readonly wanted: string | undefined;
  readonly words: string;
}

/** No stack is selected, or the backend does not have it. */
async function withoutStack(project: Project, { backend, wanted, words }: Missing): Promise<Stack> {
  const isUnselected = wanted === undefined && /no stack selected/i.test(words);
  const isUnknown = /no stack named/i.test(words);
  if (!isUnselected && !isUnknown) {
    const message = `The stack cannot be read: ${words}`;
    const fix = "Make `pulumi stack` work in this folder, then run the command again.";
    return { findings: [backend, failed("stack", message, fix)] };
  }
  const configured = configuredStacks(project.folder).filter(
    (name) => wanted === undefined || name === wanted,
  );
  const known = await knownStacks(project.folder);
  const here = configured.find((name) => known.includes(name)) ?? known[0];
  const elsewhere = here === undefined || wanted !== undefined ? configured[0] : undefined;
  const nothing = isUnselected ? "No stack is selected" : `The backend has no stack ${wanted ?? ""}`;
  if (elsewhere !== undefined && !known.includes(elsewhere)) {
    const message = `${nothing}. The folder has the configuration of stack ${elsewhere}, which this backend does not have: it may be in another one.`;
    const fix = `Select the backend of the stack with \`pulumi login <url>\` or PULUMI_BACKEND_URL.`;
    return { findings: [backend, failed("stack", message, fix)] };
  }
  if (wanted !== undefined) {
    const message =
      known.length === 0 ? `${nothing}.` : `${nothing}; it has ${known.slice(0, MAX_NAMED).join(", ")}.`;
    return { findings: [backend, failed("stack", message, stackFix(wanted, known))] };
  }
  return { ...unselected(backend, here), configuration: new Map() };
}

const MAX_NAMED = 5;
/** How many characters of a name may be wrong. */
const MAX_TYPOS = 2;

/** A new stack would manage nothing of what another one manages, so it is only the fix of a project without stacks. */
function stackFix(wanted: string, known: readonly string[]): string {
  if (known.length === 0) return `pulumi stack init ${wanted}`;
  const name = closest(wanted, [...known]);
  if (distance(wanted, name) > MAX_TYPOS) return "pulumi stack ls";
  return process.env["PULUMI_STACK"] === wanted
    ? `export PULUMI_STACK=${name}`
    : `npx --no datapipes doctor --stack ${name}`;
}

/** No stack is selected. Where the project has one, `pulumi preview` asks for it, so this must be mended. */
function unselected(backend: DoctorFinding, existing: string | undefined): Stack {
  if (existing === undefined) {
    const message = "No stack is selected: the settings come from the environment alone.";
    return { findings: [backend, warning("stack", message, "pulumi stack init dev")] };
  }
  const selection = `pulumi stack select ${existing}`;
  const message = `No stack is selected, although the project has stack ${existing}: the settings come from the environment alone.`;
  return { findings: [backend, failed("stack", message, selection)], selection };
}

/** The stacks whose configuration the folder has. */
const configuredStacks = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => /^Pulumi\.(.+)\.(?:yaml|yml|json)$/.exec(name)?.[1] ?? []);

const stacks = z.array(z.looseObject({ name: z.string() }));

/** The stacks that the backend has for the project. */
async function knownStacks(folder: string): Promise<readonly string[]> {
  try {
    return stacks.parse(JSON.parse(await pulumi(["stack", "ls", "--json"], folder))).map(({ name }) => name);
  } catch {
    return [];
  }
}

const account = z.looseObject({ url: z.string() });

/** Which backend Pulumi uses here, and why. */
async function checkBackend({ folder, file, backendUrl }: Project): Promise<DoctorFinding> {
  const fromEnvironment = process.env["PULUMI_BACKEND_URL"];
  try {
    const { url } = account.parse(JSON.parse(await pulumi(["whoami", "--json"], folder)));
    const used = `The backend is ${withoutCredentials(url)}`;
    if (fromEnvironment === undefined || fromEnvironment === "") {
      const source =
        backendUrl === undefined ? "of `pulumi login`" : `backend.url of ${path.basename(file ?? "")}`;
      return ok("backend", `${used} (${source}).`);
    }
    if (backendUrl === undefined || backendUrl === fromEnvironment)
      return ok("backend", `${used} (PULUMI_BACKEND_URL).`);
    const message = `${used}, which PULUMI_BACKEND_URL names; backend.url of ${path.basename(file ?? "")} names ${withoutCredentials(backendUrl)}, which is not used.`;
    return warning("backend", message, "unset PULUMI_BACKEND_URL");
  } catch (error) {
    const words = wordsOf(error);
    const fix = backendFix(fromEnvironment, { file, backendUrl, words });
    return failed("backend", `The Pulumi CLI cannot use its backend: ${words}`, fix);
  }
}

/** What mends the backend: a login alone does not help where something else names a wrong one. */
function backendFix(
  variable: string | undefined,
  { file, backendUrl, words }: Pick<Project, "file" | "backendUrl"> & { readonly words: string },
): string {
  const correction =
    variable !== undefined && variable !== ""
      ? "Correct PULUMI_BACKEND_URL, or run `unset PULUMI_BACKEND_URL`."
      : backendUrl !== undefined && `Correct backend.url of ${path.basename(file ?? "")}.`;
  if (correction === false) return "pulumi login";
  // The CLI asks for a token for every URL whose scheme it does not know, too.
  return words.includes("PULUMI_ACCESS_TOKEN")
    ? `${correction} If the URL is right, run \`pulumi login\`.`
    : correction;
}
