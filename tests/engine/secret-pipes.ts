import { DEFAULT_ACCOUNT } from "../../simulator/src/index";
import { canary } from "../../testkit/canary";
import {
  complete,
  mapValues,
  minimal,
  withValues,
  type JsonObject,
  type SourceKind,
} from "../../testkit/pipes";

/** Every secret value of the four sources, by the path below the source. */
const SECRETS: Readonly<Record<SourceKind, readonly string[]>> = {
  kafka: ["credentials", "schemaRegistry.credentials"].flatMap((pair) => [
    `${pair}.username`,
    `${pair}.password`,
  ]),
  objectStorage: ["connectionString", "accessKey.accessKeyId", "accessKey.secretKey"],
  kinesis: ["accessKey.accessKeyId", "accessKey.secretKey"],
  postgres: ["credentials.username", "credentials.password"],
};

/** The whole paths of the secret values of a kind. */
export const secretsOf = (kind: SourceKind): string[] =>
  SECRETS[kind].map((path) => `source.${kind}.${path}`);

const kinds = Object.keys(SECRETS) as SourceKind[];

/** The secret of a version. The registry's credentials never change, because that needs another pipe. */
export const canaryAt = (path: string, version = 1): string =>
  canary(`${path.replaceAll(".", "-")}-v${path.includes("schemaRegistry") ? 1 : version}`);

const keySecret = canary("api-key-secret");
export const account = { ...DEFAULT_ACCOUNT, apiKeyId: "key-id", apiKeySecret: keySecret };

/** What no output and no stored file may show. */
export const hidden: readonly string[] = [
  keySecret,
  `key-id:${keySecret}`,
  ...[1, 2, 3].flatMap((version) => kinds.flatMap(secretsOf).map((path) => canaryAt(path, version))),
];

const withSecrets = (bases: Record<SourceKind, JsonObject>, version: number) =>
  mapValues(bases, (args, kind) =>
    withValues(
      args,
      Object.fromEntries(secretsOf(kind as SourceKind).map((path) => [path, canaryAt(path, version)])),
    ),
  ) as Record<SourceKind, JsonObject>;

/** Complete pipes whose secrets are canaries. */
export const completePipes = (version: number) => withSecrets(complete, version);

/** Pipes with secrets and little else, so that no limit of a message's length hides what it should not show. */
export const smallPipes = (version: number) => withSecrets(minimal, version);
