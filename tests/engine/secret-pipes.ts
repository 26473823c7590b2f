import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary } from "../../testkit/canary";
import { complete, minimal, withValue, type JsonObject, type SourceKind } from "../../testkit/pipes";

/** Every secret value of the four sources. */
export const secretsOf: Readonly<Record<SourceKind, readonly string[]>> = {
  kafka: [
    "source.kafka.credentials.username",
    "source.kafka.credentials.password",
    "source.kafka.schemaRegistry.credentials.username",
    "source.kafka.schemaRegistry.credentials.password",
  ],
  objectStorage: [
    "source.objectStorage.connectionString",
    "source.objectStorage.accessKey.accessKeyId",
    "source.objectStorage.accessKey.secretKey",
  ],
  kinesis: ["source.kinesis.accessKey.accessKeyId", "source.kinesis.accessKey.secretKey"],
  postgres: ["source.postgres.credentials.username", "source.postgres.credentials.password"],
};

/** The secret of a version. The registry's credentials never change, because that needs another pipe. */
export const canaryAt = (path: string, version = 1): string =>
  canary(`${path.replaceAll(".", "-")}-v${path.includes("schemaRegistry") ? 1 : version}`);

const keySecret = canary("api-key-secret");
export const account = { ...DEFAULT_ACCOUNT, apiKeyId: "key-id", apiKeySecret: keySecret };

/** What no output and no stored file may show. */
export const hidden: readonly string[] = [
  keySecret,
  `key-id:${keySecret}`,
  ...new Set(
    [1, 2, 3].flatMap((version) =>
      Object.values(secretsOf)
        .flat()
        .map((path) => canaryAt(path, version)),
    ),
  ),
];

const withSecrets = (
  bases: Record<SourceKind, JsonObject>,
  version: number,
): Record<SourceKind, JsonObject> =>
  Object.fromEntries(
    Object.entries(secretsOf).map(([kind, paths]) => [
      kind,
      paths.reduce((args, path) => withValue(args, path, canaryAt(path, version)), bases[kind as SourceKind]),
    ]),
  ) as Record<SourceKind, JsonObject>;

/** Complete pipes whose secrets are canaries. */
export const completePipes = (version: number) => withSecrets(complete, version);

/** Pipes with secrets and little else, so that no limit of a message's length hides what it should not show. */
export const smallPipes = (version: number) => withSecrets(minimal, version);
