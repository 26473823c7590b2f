import type { Finding } from "../../../provider/src/messages/errors";
import { entry, FAILED_RUN, REFUSED_DELETION, TAKE_OVER, type Entry } from "./entry";

const LOST =
  "The API refused or lost the answer to `createPipe`, and the provider read the list of the service to find out what happened.";
const NEVER_TWICE = `A second \`createPipe\` could make a second pipe that loads the same data. ${FAILED_RUN} has the cases.`;

/** What the provider found out after a failure. The compiler demands an entry for each finding. */
export const FINDINGS: Readonly<Record<Finding, Entry>> = {
  "several-pipes-appeared": entry(
    "Several pipes of this name have appeared",
    ["Since then, several pipes of this name have appeared: <ids>. The provider adopted none of them."],
    `${LOST} It has several new pipes of this name, and the provider cannot know which one is yours.`,
    NEVER_TWICE,
  ),
  "similar-pipe-appeared": entry(
    "A similar pipe has appeared",
    [
      "The list now has a similar pipe that this request may not have created: <id> (<created before the request, perhaps created before the request, or differs from the program>). The provider did not adopt it.",
    ],
    `${LOST} It has a new pipe of this name, but not one that is certainly yours.`,
    NEVER_TWICE,
  ),
  "pipe-appeared": entry(
    "Meanwhile, a pipe has appeared",
    ["Meanwhile, a pipe <name> has appeared: <id>."],
    "The API refused the request, and yet the list has a new pipe of this name. A gateway may have forwarded a copy of the request, or another client created the pipe.",
    NEVER_TWICE,
  ),
  "second-pipe-created": entry(
    "The provider sent the request again, and there are several pipes",
    [
      "create pipe <name> (<id>): the provider sent the request again, because an earlier response was lost and the list did not have the pipe. The service now also has <ids>, with the same name. All of them load the same data.",
    ],
    "An earlier request took effect after all. The state has the first id that the message names; Pulumi does not manage the others.",
  ),
  "not-created": entry(
    "The list has no new pipe of this name",
    [
      "The provider sent the request <once or several times>, and the list of the service has no new pipe of this name.",
      "create pipe <name> failed: another Provider of this program already manages the pipe <id>, which the API returned.",
    ],
    `${LOST} It has no new pipe of this name. If the message names another \`Provider\`, that one also created a pipe of this name, lost the answer, and took the pipe that this request had created; check whether a second pipe has appeared.`,
  ),
  "may-exist": entry(
    "The API may have created it",
    [
      "The API may have created the pipe: the provider cannot read the list (<reason>).",
      "The API may have created it.",
    ],
    "The answer to a create was lost, and the provider could not find out whether it took effect. No operation lists reverse private endpoints, so this cannot be found out for them.",
    NEVER_TWICE,
  ),
  "may-be-deleted": entry(
    "The API may have deleted it",
    ["The API may have deleted it, but has no operation that reads endpoints."],
    "The answer to the deletion of a reverse private endpoint was lost. The endpoint stays in the state.",
  ),
  "pipe-not-listed": entry(
    "The list no longer has the pipe",
    [
      "Since then, the list no longer has <pipe>.",
      "<pipe> is no longer in the list. The provider waited <number> s; the last state seen was <state>.",
    ],
    "Another client deleted the pipe, or the list of the service is late.",
  ),
  "deletion-refused": entry(
    "The service refuses the deletion",
    ["The service refuses the deletion.", "The service cannot delete pipes."],
    "The API document has no operation that deletes pipes or endpoints. Some services have one; this one has none, or this key may not use it. Nothing was deleted, and the resource stays in the state.",
    `${REFUSED_DELETION} says how to delete it elsewhere, and how to keep it. Do not run \`pulumi up\` after a \`pulumi destroy\` that failed half-way: it would create pipes with "retain" a second time.`,
  ),
  "pipe-failed": entry(
    "The pipe will not reach the state",
    [
      "<pipe> will not become <state> by itself. The provider waited <number> s; the last state seen was <state>.",
    ],
    "The pipe was created, and is in the state. Its state is `Failed` or `InternalError`, so waiting longer does not help.",
  ),
  "state-not-reached": entry(
    "The pipe did not reach the state in time",
    ["<pipe> did not become <state> within <number> s; the last state seen was <state>."],
    "The pipe exists and is in the state. It did not reach a state of `waitFor.states` in `waitFor.timeoutSeconds`.",
  ),
  "custom-timeout-passed": entry(
    "The timeout of customTimeouts ended a wait",
    [
      "<pipe> did not become <state> within the <number> s of customTimeouts; the last state seen was <state>.",
    ],
    "The pipe exists and is in the state. It did not reach a state of `waitFor.states` in the time that the option `customTimeouts` gives the operation.",
  ),
  "nothing-to-adopt": entry(
    "There is no pipe to adopt",
    [
      "adopt names pipe <id>, but service <id> has no pipe with this id.",
      "adopt pipe <id> failed: service <id> has no pipe with this id.",
    ],
    "The service has no pipe of the id that `adopt` names. It may be a pipe of another service or organization.",
  ),
  "not-adoptable": entry(
    "The pipe to adopt differs from the program",
    [
      "adopt names pipe <id>, but it differs from the program in fields that cannot be changed in place:",
      "adopt pipe <id> failed: it differs from the program in fields that cannot be changed in place:",
      "<field>: the pipe has <value>, the program declares <value>",
      "source: the pipe reads from <no known kind>, the program declares <kind>",
    ],
    "The program describes another pipe than the one that `adopt` names. Each line names a field with both values. Nothing was sent.",
    `You can also leave the fields out. ${TAKE_OVER} writes the whole program for you.`,
  ),
  "no-such-resource": entry(
    "The resource does not exist",
    ["<type> <id> does not exist."],
    "`get` or an import names an id that the service does not have.",
  ),
  "no-such-pipe": entry(
    "getPipe: no such pipe",
    [
      "getPipe failed: service <id> has no pipe with the name <name>.",
      "getPipe failed: service <id> has no pipe with the id <id>.",
    ],
    "The list of the service has no pipe of this name or id.",
  ),
  "several-pipes-of-name": entry(
    "getPipe: several pipes of this name",
    ["getPipe failed: service <id> has <number> pipes with the name <name>: <ids>."],
    "Names of pipes need not be unique. The message has the ids.",
  ),
  "no-settings": entry(
    "getPipeSettings: no settings",
    ["getPipeSettings failed: the API has no settings for pipe <id> of service <id>."],
    "The API answered 404: there is no such pipe, or it is of a kind that has no settings.",
  ),
  "settings-not-known": entry(
    "The settings of the provider are not known yet",
    ["The settings of the provider are not known yet at this preview."],
    "An argument of the `Provider` is an output that is known only after `pulumi up`, and the promise form of a function cannot wait for it.",
  ),
  "impossible-id": entry(
    "The id is not valid",
    ["<id> is not a valid id: the provider sent nothing."],
    "An id is empty, or a path would change its meaning. The provider sends no request to such a path.",
  ),
};
