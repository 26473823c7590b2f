import { IdsInUse } from "../provider/src/lifecycle/ids-in-use";
import { RunFile } from "../provider/src/lifecycle/run-file";
import { render } from "../provider/src/messages/next-steps";

/** What a lifecycle and its definition have of their run, without another process, a configuration and secrets. */
export const runContext = () => ({
  ids: new IdsInUse(new RunFile(undefined)),
  warnedStates: ["Failed", "InternalError"],
  stored: () => Promise.resolve([]),
  server: "",
  configurationProblems: () => [],
  defaults: () => ({}),
  render,
  leaveNote: () => false,
  redact: (text: string) => text,
  trackSecrets: () => undefined,
  secretTextsOf: () => () => false,
});
