import type { Damage } from "../damage";

/** The native plugin: its protocol, and what it marks as secret. */
export const PLUGIN_DAMAGES: readonly Damage[] = [
  {
    name: "the plugin does not mark the key secret in its configuration",
    file: "plugin/src/configuration.ts",
    find: "isSecretName(name) && !isMap(value) ? asSecret(value) : value,",
    replace: "isSecretName(name) && isMap(value) ? asSecret(value) : value,",
    foundBy: ["plugin/configuration.test.ts", "plugin/secrets.test.ts"],
    place: /secret/,
  },
  {
    name: "the plugin does not mark secrets in the inputs of a read",
    file: "plugin/src/provider.ts",
    find: ".setInputs(structOf(results.inputs(read.inputs)));",
    replace: ".setInputs(structOf({ ...read.inputs }));",
    foundBy: ["plugin/secrets.test.ts", "plugin/protocol.test.ts"],
    place: /secret/,
  },
  {
    name: "the plugin ignores Cancel",
    file: "plugin/src/server.ts",
    find: "    provider.cancel();\n",
    replace: "",
    foundBy: ["plugin/protocol.test.ts", "plugin/timeouts.test.ts"],
    place: /cancel/i,
  },
  {
    name: "the plugin shows an added field as an updated one",
    file: "plugin/src/detailed-diff.ts",
    find: "if (before === undefined) return replaces ? Kind.ADD_REPLACE : Kind.ADD;",
    replace: "if (before === undefined && replaces) return Kind.ADD_REPLACE;",
    foundBy: ["plugin/protocol.test.ts"],
    place: /diff|add/i,
  },
  {
    name: "the plugin loses the id in a partial failure",
    file: "plugin/src/engine-error.ts",
    find: "    .setId(error.id)\n",
    replace: "",
    foundBy: ["plugin/protocol.test.ts"],
    place: /id|partial/,
  },
  {
    name: "the plugin creates a pipe at preview",
    file: "plugin/src/provider.ts",
    find: "if (request.getPreview()) return new pb.CreateResponse().setProperties(previewed(adapter, inputs));",
    replace: "",
    foundBy: ["plugin/protocol.test.ts"],
    place: /preview/,
  },
  {
    name: "the plugin writes warnings as information",
    file: "plugin/src/engine-log.ts",
    find: "this.#send(LogSeverity.WARNING, line);",
    replace: "this.#send(LogSeverity.INFO, line);",
    foundBy: ["plugin/protocol.test.ts", "plugin/configuration.test.ts"],
    place: /warn|line/i,
  },
  {
    name: "the plugin names the property of a failed check, whose value the engine prints",
    file: "plugin/src/provider.ts",
    find: ".setFailuresList(failures.map((reason) => new pb.CheckFailure().setReason(reason)));",
    replace:
      '.setFailuresList(failures.map((reason) => new pb.CheckFailure().setReason(reason).setProperty(reason.split(/[ .[]/)[0] ?? "")));',
    foundBy: ["plugin/protocol.test.ts", "plugin/secrets.test.ts"],
    place: /property|secret/,
  },
  {
    name: "the plugin imports a pipe that the program would replace",
    file: "plugin/src/provider.ts",
    find: "if (this.#imported.has(request.getUrn())) lifecycle.refuseReplacedImport(request.getId(), result);",
    replace: "",
    foundBy: ["plugin/protocol.test.ts"],
    place: /import/,
  },
];
