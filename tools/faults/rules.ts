import type { Row } from "./row";
import { MAX_RETRIES } from "./trouble";

/** What must hold of a row; `breach` says how it does not. */
interface Rule {
  readonly says: string;
  readonly breach: (row: Row) => string | undefined;
}

/** What a user can do: an error without it leaves people alone. */
const NEXT_STEP = /\b(run|check|correct|wait|raise|lower|look|give|wake|name)\b/i;

const when = (broken: boolean, how: string): string | undefined => (broken ? how : undefined);

const isCreate = ({ phase, act }: Row): boolean => phase.name === "create" && act.resource !== "settings";

/** Whether a repeated or proven request comes through, so that the user need not do anything. */
function mustEndWell({ act, trouble }: Row): boolean {
  if (trouble.nature === "harmless") return true;
  if (act.operationId === "createPipe" && trouble.takesEffect && trouble.nature !== "refused") return true;
  if (trouble.persistent) return false;
  if (trouble.nature === "busy") return true;
  if (act.operationId === "createPipe") return !["refused", "foreign"].includes(trouble.nature);
  return act.operationId !== "createReversePrivateEndpoint" && trouble.nature === "passing";
}

/** Whether there is no way around an error. */
function mustFail(row: Row): boolean {
  const { trouble } = row;
  return !mustEndWell(row) && (trouble.persistent || trouble.nature === "refused");
}

/** Ids of what the service has beside what the stack manages, and that nobody has been told of. */
function untoldDoubles({ during, after }: Row): readonly string[] {
  const said = [...during.told, during.failure ?? "", ...after.told].join("\n");
  if (said.includes("may exist all the same")) return [];
  return after.existing.filter((id) => id !== after.stored && !said.includes(id));
}

const isBelieved = ({ act, trouble }: Row): boolean =>
  act.resource === "endpoint" && trouble.nature === "refused" && trouble.takesEffect;

/** All that is held against every row. */
export const rules: readonly Rule[] = [
  {
    says: "An operation ends well where repeating or looking proves it safe, and fails where nothing can be done.",
    breach: (row) =>
      when(mustEndWell(row) && row.during.failure !== undefined, "it failed, but could have ended well") ??
      when(mustFail(row) && row.during.failure === undefined, "it ended well, but cannot have"),
  },
  {
    says: "An error names the operation, the method and path, the status that came, and a next step; it is one message, without a stack.",
    breach: ({ act, during: { failure } }) => {
      if (failure === undefined) return undefined;
      const came = / (answered \d{3}|got no answer)\b/.exec(failure);
      const rest = came === null ? "" : failure.slice(came.index + came[0].length);
      return (
        when(!act.attempt.test(failure), "the error does not say what was attempted") ??
        when(came === null, "the error does not say what came back") ??
        when(!NEXT_STEP.test(rest), "the error names no next step") ??
        when(/AxiosError|^\s+at /m.test(failure), "the error shows its stack")
      );
    },
  },
  {
    says: "No secret is shown or stored in the clear, in any encoding.",
    breach: ({ leaks: [leak] }) => leak && `${leak.form} secret: ${leak.context}`,
  },
  {
    says: `A request is sent ${MAX_RETRIES + 1} times at most; a POST that took effect once, that of a pipe whose answer is not the API's once, and that of an endpoint once, unless it was turned away by the rate limit.`,
    breach: ({ act, trouble, during: { counts } }) => {
      const sent = counts[act.operationId] ?? 0;
      const single =
        (act.operationId === "createPipe" && (trouble.takesEffect || trouble.nature === "foreign")) ||
        (act.operationId === "createReversePrivateEndpoint" && trouble.nature !== "busy");
      return when(sent > (single ? 1 : MAX_RETRIES + 1), `sent ${sent} times`);
    },
  },
  {
    says: "There are never two of one thing without the user being told: of the id of the other, or, as endpoints cannot be listed, that it may exist. Only a server that refuses an endpoint in words and makes it all the same is believed.",
    breach: (row) =>
      when(row.during.existing.length > 1, "two exist after the run") ??
      when(
        untoldDoubles(row).length > 0 && !isBelieved(row),
        "two exist after the next run, and nobody was told",
      ),
  },
  {
    says: "What ended well is in the state under its id; what existed before stays there, whatever happens.",
    breach: (row) => {
      const { existing, stored, failure } = row.during;
      if (isCreate(row) && failure !== undefined)
        return when(stored !== undefined, "a failed create is in the state");
      return when(stored === undefined || !existing.includes(stored), "the state does not have the id");
    },
  },
  {
    says: "The next run of the same command ends well, leaves what the program declares under one id, and a preview after it is empty.",
    breach: ({ after, settled }) =>
      when(after.failure !== undefined, `the next run failed: ${after.failure ?? ""}`) ??
      when(after.stored === undefined || !after.existing.includes(after.stored), "the state lost the id") ??
      when(!after.asDeclared, "the service does not have what is declared") ??
      when(!settled, "the preview afterwards is not empty"),
  },
];

/** How a row breaks the rules; empty when all of them hold. */
export const breaches = (row: Row): readonly string[] => rules.flatMap(({ breach }) => breach(row) ?? []);
