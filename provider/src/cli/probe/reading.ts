import { memoize } from "es-toolkit/function";
import { randomUUID } from "node:crypto";
import type { Client } from "../../api/client";
import { pipeFromWire, isWireObject, type Identified } from "../../api/document/wire";
import { kindOfSource } from "../../resources/pipe/loads";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import { isIdOfAnswer } from "../../values/uuid";
import type { Evidence, ReadSettings } from "./evidence";
import { statusOf, type Exchange } from "./exchange";
import { importAndCompare, type Imported } from "./imported";
import { entriesOf } from "./lists";
import type { Session } from "./session";

/** Reads all that can be read of a service. Sends GETs only. */
export async function readService(session: Session): Promise<Evidence> {
  const { run, recorder, scope, settings, say } = session;
  const client = (): Client => run.client();
  say("Reading the list of pipes twice …");
  const first = await recorder.record(() => client().listPipes(scope));
  // Of a service that refuses the key or the list, nothing can be said.
  if (first.error !== undefined && (statusOf(first) === 0 || statusOf(first) >= 400)) throw first.error;
  const second = await recorder.record(() => client().cachedPipes(scope));
  const pipes = listedPipes(second.error === undefined ? second : first);
  session.learn(entriesOf(first), entriesOf(second));
  const settingsOf = await readSettings(session, pipes);
  say("Reading an unknown pipe, with an unknown key, and the backups …");
  const unknownPipe = await recorder.record(() => client().getPipeSettings(scope, randomUUID()));
  const badKey = await recorder.record(() => session.clientWithWrongKey().listPipes(scope));
  const backups = await recorder.record(() => client().listBackups(scope));
  // The read of a pipe that the second list lacks would send more requests.
  const ids = new Set(second.error === undefined ? pipes.map(({ id }) => id) : []);
  const imported = await importAll(
    session,
    listedPipes(first).filter(({ id }) => ids.has(id)),
  );
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

/** The pipes as the service sent them, but for those without a UUID. */
const listedPipes = (exchange: Exchange): readonly Identified[] =>
  entriesOf(exchange).flatMap((entry) =>
    isWireObject(entry) && isIdOfAnswer(entry["id"]) ? [pipeFromWire(entry as Identified)] : [],
  );

/** The settings of one pipe of each kind. */
async function readSettings(
  { run, recorder, scope }: Session,
  pipes: readonly Identified[],
): Promise<ReadSettings[]> {
  const read: ReadSettings[] = [];
  for (const kind of SOURCE_KINDS) {
    const pipe = pipes.find((each) => kindOfSource(each["source"]).kind === kind);
    if (pipe === undefined) continue;
    read.push({
      kind,
      pipe,
      exchange: await recorder.record(() => run.client().getPipeSettings(scope, pipe.id)),
    });
  }
  return read;
}

/** Imports each pipe of the first read, and compares it with the second; the provider's own lines about it would name ids. */
async function importAll(session: Session, pipes: readonly Identified[]): Promise<Imported[]> {
  const { scope } = session;
  // Many pipes have the same texts.
  const hasSecret = memoize(session.hasSecret);
  return session.quietly(async (lifecycle) => {
    const imported: Imported[] = [];
    for (const [index, pipe] of pipes.entries())
      imported.push(await importAndCompare(lifecycle, pipe, { scope, index, hasSecret }));
    return imported;
  });
}
