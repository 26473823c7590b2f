import { upperFirst } from "es-toolkit/string";
import { counted } from "../../messages/enumerated";
import { Constants } from "./constants";
import type { Credential, Login } from "./credentials";
import { blockComment, formatted, textCode, valueCode } from "./literals";
import type { UniqueNames } from "./names";
import { commentOn, pipeCode, type PipeCode } from "./pipe-code";
import type { ImportedPipe } from "./resources";

/** What the program is to contain beside the pipes. */
export interface ProgramOptions extends Pick<
  PipeCode,
  "mode" | "withCredentials" | "credentials" | "scopes"
> {
  readonly fileOf: (pipe: ImportedPipe) => string;
  readonly variables: UniqueNames;
  readonly commands: readonly string[];
  /** Called after each pipe. */
  readonly written: (count: number) => void;
}

/** The command that sets a credential; `datapipes import` prints one for each key. */
export const SET_SECRET = "pulumi config set --secret";

/** For programs of the mode "import". */
export const IMPORT_FIRST =
  "Do not run `pulumi up` before `pulumi import`: it would create each pipe a second time.";

/** Why the command has `--protect=false`. */
export const PROTECT =
  "Leave out `--protect=false` if the program sets the option `protect`: without it, the import protects each pipe against deletion.";

export const PROGRAM = "index.ts";
/** What pipes of several files have in common. */
const SHARED = "shared.ts";

interface Declaration {
  readonly name: string;
  readonly comment?: string;
  readonly code: string;
  /** The ids of the pipes. */
  readonly users: ReadonlySet<string>;
  readonly needsConfig?: boolean;
}

/** The texts of `index.ts`, and of the files that it imports. */
export async function programOf(
  pipes: readonly ImportedPipe[],
  options: ProgramOptions,
): Promise<Readonly<Record<string, string>>> {
  const constants = new Constants(pipes, options.variables);
  const logins = loginConstants(options);
  const code: PipeCode = { ...options, constants, logins };
  const declarations = declarationsOf(pipes, code);
  const places = new Map(pipes.map((pipe) => [pipe.id, options.fileOf(pipe)]));
  const filesOf = ({ users }: Declaration): ReadonlySet<string> =>
    new Set([...users].map((id) => places.get(id) ?? PROGRAM));
  const shared = declarations.filter((each) => filesOf(each).size > 1);
  const texts: Record<string, string> = {};
  if (shared.length > 0) {
    const comment = blockComment([titleOf(pipes), "", "What several of its files use."]);
    texts[SHARED] = await formatted(
      headOf({ comment, declared: shared, isExported: true, needsConfig: shared.some(needsConfigOf) }),
    );
  }
  let written = 0;
  for (const file of new Set(places.values())) {
    const own = pipes.filter(({ id }) => places.get(id) === file);
    const used = declarations.filter((each) => filesOf(each).has(file));
    const declared = used.filter((each) => !shared.includes(each));
    const head = headOf({
      comment: file === PROGRAM ? header(pipes, options) : blockComment([titleOf(own)]),
      imported: used.filter((each) => shared.includes(each)).map(({ name }) => name),
      declared,
      needsConfig: declared.some(needsConfigOf) || own.some((pipe) => readsConfig(pipe, code)),
    });
    const parts = [await formatted(head)];
    for (const pipe of own) {
      parts.push(await formatted(pipeCode(pipe, code)));
      options.written((written += 1));
    }
    texts[file] = parts.join("\n");
  }
  texts[PROGRAM] ??= await formatted(`${header(pipes, options)}\n\n${importsOf(Object.keys(texts))}`);
  return texts;
}

const needsConfigOf = ({ needsConfig = false }: Declaration): boolean => needsConfig;

export const declaredLogins = ({
  withCredentials,
  credentials,
}: Pick<ProgramOptions, "withCredentials" | "credentials">): readonly Login[] => {
  const declared = withCredentials
    ? [...credentials.values()].flat().filter(({ isUpdatable }) => isUpdatable)
    : [];
  return [...new Set(declared.map(({ login }) => login))];
};

/** A login that several pipes share is a constant, unless it is one expression. */
const loginConstants = (options: ProgramOptions): ReadonlyMap<Login, string> =>
  new Map(
    declaredLogins(options)
      .filter(({ isObject, users }) => isObject && users.size > 1)
      .map((login) => [login, options.variables.take(`${login.prefix}${upperFirst(login.field)}`)]),
  );

/** Whether the code of a pipe, or a comment in it, has a value of the configuration. */
const readsConfig = ({ id }: ImportedPipe, { credentials, logins }: PipeCode): boolean =>
  credentials.get(id)?.some(({ isUpdatable, login }: Credential) => isUpdatable && !logins.has(login)) ===
  true;

function declarationsOf(
  pipes: readonly ImportedPipe[],
  { scopes, constants, logins }: PipeCode,
): readonly Declaration[] {
  const users = (id: string): ReadonlySet<string> =>
    new Set(
      pipes
        .filter(({ inputs }) => [inputs["organizationId"], inputs["serviceId"]].includes(id))
        .map((pipe) => pipe.id),
    );
  return [
    ...[...scopes].map(([id, name]) => ({ name, code: textCode(id), users: users(id) })),
    ...constants.all.map(({ name, value, path, users: all }) => ({
      name,
      code: valueCode(value, (field, member) => constants.at([...path, field], member)?.name),
      users: all,
      comment: commentOn(path.at(-1) ?? "", true),
    })),
    ...[...logins].map(([login, name]) => ({
      name,
      code: login.code,
      users: login.users,
      needsConfig: true,
    })),
  ];
}

/** What precedes the pipes of a file. */
interface Head {
  readonly comment: string;
  /** The names of what `shared.ts` exports. */
  readonly imported?: readonly string[];
  readonly declared: readonly Declaration[];
  readonly needsConfig: boolean;
  readonly isExported?: boolean;
}

function headOf({ comment, imported = [], declared, needsConfig, isExported = false }: Head): string {
  const imports = [
    ...(needsConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    ...(isExported ? [] : ['import * as datapipes from "pulumi-datapipes";']),
    ...(imported.length > 0 ? [`import { ${imported.join(", ")} } from "./${moduleOf(SHARED)}";`] : []),
  ];
  const start = isExported ? "export const" : "const";
  const parts = [
    comment,
    imports.join("\n"),
    needsConfig ? "const config = new pulumi.Config();" : "",
    declared.map(({ comment: above = "", name, code }) => `${above}${start} ${name} = ${code};`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const moduleOf = (file: string): string => file.replace(/\.ts$/, "");

const importsOf = (files: readonly string[]): string =>
  files
    .filter((file) => file !== SHARED)
    .map((file) => `import "./${moduleOf(file)}";`)
    .join("\n");

function titleOf(pipes: readonly ImportedPipe[]): string {
  const services = new Set(pipes.map(({ serviceId }) => serviceId)).size;
  return `${counted(pipes.length, "pipe")} of ${counted(services, "service")}, written by \`datapipes import\`.`;
}

function header(pipes: readonly ImportedPipe[], { mode, withCredentials, commands }: ProgramOptions): string {
  return blockComment([
    titleOf(pipes),
    "",
    mode === "import"
      ? "The stack does not manage the pipes yet. These commands bring them under Pulumi without a change:"
      : "Each pipe names the existing pipe that it adopts. These commands bring them under Pulumi without a change:",
    "",
    ...commands.filter((command) => !command.includes(SET_SECRET)).map((command) => `    ${command}`),
    "",
    ...(mode === "adopt" ? ["After that, `adopt` may stay or go."] : [IMPORT_FIRST, PROTECT]),
    withCredentials
      ? `The API does not return credentials. Set them with \`${SET_SECRET} <key>\` first: the first update sends them.`
      : `The API does not return credentials, and each pipe keeps its own. To declare others, uncomment its line, and run \`${SET_SECRET} <key>\`.`,
  ]);
}
