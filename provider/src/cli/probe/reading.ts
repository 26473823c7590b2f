import { randomUUID } from "node:crypto";
import type { Client } from "../../api/client";
import { pipeFromWire, isWireObject, type Identified } from "../../api/document/wire";
import { isMap } from "../../lifecycle/property-value";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import { isIdOfAnswer } from "../../values/uuid";
import type { Evidence, Exchange, ReadSettings } from "./evidence";
import { importAndCompare, type Imported } from "./imported";
import { entriesOf } from "./lists";
import type { Session } from "./session";

/** Reads all that can be read of a service. Sends GETs only. */
export async function readService(session: Session): Promise<Evidence> {
  const { run, recorder, scope, settings, say } = session;
  const client = (): Client => run.client();
  say("Reading the list of pipes twice …");
  const first = await recorder.record(() => client().listPipes(scope));
  if (first.error !== undefined && first.error.code !== "invalid-response" && isRefusal(first))
    throw first.error;
  const second = await recorder.record(() => client().cachedPipes(scope));
  const pipes = listedPipes(second.error === undefined ? second : first);
  session.learn(entriesOf(first), pipes);
  const settingsOf = await readSettings(session, pipes);
  say("Reading an unknown pipe, with an unknown key, and the backups …");
  const unknownPipe = await recorder.record(() => client().getPipeSettings(scope, randomUUID()));
  const badKey = await recorder.record(() => session.clientWithWrongKey().listPipes(scope));
  const backups = await recorder.record(() => client().listBackups(scope));
  const imported = second.error === undefined ? await importAll(session, pipes) : [];
  return {
    ...{ baseUrl: settings.baseUrl, serviceId: scope.serviceId, answers: recorder.answers },
    ...{ requestTimeoutSeconds: settings.requestTimeoutSeconds, first, pipes, settings: settingsOf },
    ...{ unknownPipe, badKey, backups, imported },
    second: {
      ...second,
      ...(second.value && { value: [...second.value.values()].map(pipeFromWire) }),
    } as Exchange<readonly Identified[]>,
  };
}

/** A refused key or an unknown service: nothing can be said of the service then. */
const isRefusal = ({ answers }: Exchange): boolean => {
  const status = answers.at(-1)?.status ?? 0;
  return status >= 400 && status < 500;
};

/** The pipes as the service sent them, but for those without a UUID. */
const listedPipes = (exchange: Exchange): readonly Identified[] =>
  entriesOf(exchange).flatMap((entry) =>
    isWireObject(entry) && isIdOfAnswer(entry["id"]) ? [pipeFromWire(entry as Identified)] : [],
  );

/** The kind of source of a pipe. */
const kindOf = ({ source }: Identified): string | undefined =>
  SOURCE_KINDS.find((kind) => isMap(source) && isMap(source[kind]) && Object.keys(source[kind]).length > 0);

/** The settings of one pipe of each kind. */
async function readSettings(
  { run, recorder, scope }: Session,
  pipes: readonly Identified[],
): Promise<ReadSettings[]> {
  const read: ReadSettings[] = [];
  for (const kind of SOURCE_KINDS) {
    const pipe = pipes.find((each) => kindOf(each) === kind);
    if (pipe === undefined) continue;
    read.push({
      kind,
      pipe,
      exchange: await recorder.record(() => run.client().getPipeSettings(scope, pipe.id)),
    });
  }
  return read;
}

/** Imports and compares each pipe; the provider's own lines about it would name ids. */
async function importAll(session: Session, pipes: readonly Identified[]): Promise<Imported[]> {
  const { scope, hasSecret } = session;
  return session.quietly(async (lifecycle) => {
    const imported: Imported[] = [];
    for (const [index, pipe] of pipes.entries())
      imported.push(await importAndCompare(lifecycle, pipe, { scope, index, hasSecret }));
    return imported;
  });
}
