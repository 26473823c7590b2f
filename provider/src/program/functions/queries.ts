import type { Client } from "../../api/client";
import type { ServiceScope } from "../../settings/settings";
import { isSameId } from "../../values/uuid";
import { withoutNulls } from "../../lifecycle/comparison/property-value";
import { DatapipesError } from "../../messages/errors";
import type { WireObject } from "../../api/wire";
import type {
  Backup,
  GetBackupsResult,
  GetPipeResult,
  GetPipeSettingsResult,
  GetPipesResult,
  PipeSummary,
} from "./results";
import type { ListedPipe } from "../../resources/pipe/observed";
import type { Run } from "../../run/run";
import { requireArguments } from "./argument-schemas";
import { summaryOf, textOf, withoutSecrets } from "./pipe-summary";

/** The service of a call, and what reads it. */
interface ServiceConnection {
  readonly client: Pick<Client, "getPipeSettings" | "listBackups">;
  readonly scope: ServiceScope;
  /** The pipes of the service, by a list that all calls of a run share; `isFresh`: by a new one. */
  readonly pipes: (isFresh?: boolean) => Promise<readonly ListedPipe[]>;
}

/** The arguments that the schema of the function allows. */
type Arguments = Readonly<Partial<Record<string, string>>>;

/** The results of the data functions. */
export interface Results {
  readonly getBackups: GetBackupsResult;
  readonly getPipes: GetPipesResult;
  readonly getPipe: GetPipeResult;
  readonly getPipeSettings: GetPipeSettingsResult;
}

export type FunctionName = keyof Results;

/** The data functions without Pulumi. */
type Queries = {
  readonly [N in FunctionName]: (connection: ServiceConnection, args: Arguments) => Promise<Results[N]>;
};

export const QUERIES: Queries = {
  /**
   * Lists the backups of a service (`listBackups`). It sends only read requests, in previews too. Throws a
   * `DatapipesError` whose `code` says what went wrong.
   */
  getBackups: async ({ client, scope }) => ({
    backups: (await client.listBackups(scope)).items.map(backupOf),
  }),

  /**
   * Lists the pipes of a service (`listPipes`), without their secrets. It sends only read requests, in previews too.
   * Throws a `DatapipesError` whose `code` says what went wrong.
   */
  getPipes: async ({ pipes }) => ({ pipes: (await pipes()).map(summaryOf) }),

  /**
   * Finds one pipe of a service (`listPipes`), without its secrets. It sends only read requests, in previews too.
   * Throws a `DatapipesError`: `not-found` when there is none, `conflict`, with their IDs, when several have the
   * name.
   */
  getPipe: async ({ pipes, scope: { serviceId } }, asked) => {
    const found = matching(await pipes(), asked);
    // This run may have created the pipe since the list was read.
    return theOnly(found.length > 0 ? found : matching(await pipes(true), asked), asked, serviceId);
  },

  /**
   * Reads the settings of a pipe (`getPipeSettings`). It sends only read requests, in previews too. Throws a
   * `DatapipesError`: `not-found` when there is no such pipe, or when pipes of its kind have no settings, such as
   * postgres pipes.
   */
  getPipeSettings: async ({ client, scope }, { pipeId = "" }) => {
    const settings = await client.getPipeSettings(scope, pipeId);
    if (settings !== undefined) return { ...withoutSecrets(withoutNulls(settings)) };
    throw new DatapipesError(
      "not-found",
      `getPipeSettings failed: the API has no settings for pipe ${pipeId} of service ${scope.serviceId}. ` +
        "Postgres pipes have none.",
      { finding: "not-found" },
    );
  },
};

/** Runs a data function. `isFresh`: it uses no list that was read before. */
export async function query<N extends FunctionName>(
  run: Pick<Run, "client" | "scope" | "pipes">,
  name: N,
  args: object,
  isFresh = false,
): Promise<Results[N]> {
  requireArguments(name, args);
  const scope = run.scope(args);
  const pipes = (isNew = isFresh) => run.pipes(scope, isNew);
  // Checked: the function knows all arguments.
  return QUERIES[name]({ client: run.client(), scope, pipes }, args as Arguments);
}

export const isFunctionName = (name: string): name is FunctionName => Object.hasOwn(QUERIES, name);

/** The fields that a backup lacks while it runs are left out. */
function backupOf(answer: WireObject): Backup {
  const backup = withoutSecrets(withoutNulls(answer));
  return {
    ...backup,
    id: textOf(backup["id"]),
    serviceId: textOf(backup["serviceId"]),
    startedAt: textOf(backup["startedAt"]),
  };
}

const matching = (pipes: readonly ListedPipe[], { id, name }: Arguments): readonly PipeSummary[] =>
  pipes
    .filter((pipe) => (id === undefined ? textOf(pipe.name) === name : isSameId(pipe.id, id)))
    .map(summaryOf);

function theOnly(matches: readonly PipeSummary[], { id, name }: Arguments, serviceId: string): PipeSummary {
  const [pipe, ...others] = matches;
  const asked = id === undefined ? `with the name ${JSON.stringify(name)}` : `with the ID ${id}`;
  if (pipe === undefined) {
    throw new DatapipesError("not-found", `getPipe failed: service ${serviceId} has no pipe ${asked}.`, {
      finding: "not-found",
    });
  }
  if (others.length > 0) {
    const ids = matches.map((candidate) => candidate.id).join(", ");
    throw new DatapipesError(
      "conflict",
      `getPipe failed: service ${serviceId} has ${matches.length} pipes ${asked}: ${ids}.`,
      { finding: "several-pipes-of-name" },
    );
  }
  return pipe;
}
