import { createCipheriv, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isNative } from "./program";

/** What a run of the CLI gives to a host: the environment and the folder that a host of its own would have. */
export interface HostMessage {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** What the keeper says to the hosts of a run that has ended. */
export const END_OF_RUN = "end of run";

/** What a host says when it can serve a run: after its start, and after a run. */
export const FREE = "free";

export type HostRole = "program" | "plugin";

export interface HostAttachment {
  readonly id: string;
  readonly ports: Readonly<Record<HostRole, number>>;
}

/** The environment variable with the URL of the keeper. Without it, each run of the CLI starts its own processes. */
export const keeperVariable = "DATAPIPES_TEST_HOSTS";

/** What the CLI says when the language host has not answered for ten seconds. It has done nothing yet. */
const UNANSWERED = "[pulumi-language-nodejs] did not begin responding to RPC connections";

/** Runs the CLI with hosts that stay, in the environment that lets it attach to them. The native plugin starts fast enough by itself. */
export async function withHosts<T extends { readonly output: string }>(
  keeper: string,
  { env, cwd }: HostMessage,
  run: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const body = JSON.stringify({ env, cwd });
  const { id, ports } = (await ask(keeper, { method: "POST", body })) as HostAttachment;
  try {
    const result = await run({
      ...env,
      PULUMI_DEBUG_LANGUAGES: `nodejs:${ports.program}`,
      ...(!isNative && { PULUMI_DEBUG_PROVIDERS: `pulumi-nodejs:${ports.plugin}` }),
    });
    if (!result.output.includes(UNANSWERED)) return result;
  } finally {
    await ask(`${keeper}/${id}`, { method: "DELETE", body: "{}" });
  }
  // The machine was busy.
  return withHosts(keeper, { env, cwd }, run);
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/**
 * A key service, as Pulumi's secrets provider `hashivault` asks it: it decrypts the key of a stack. It takes one request, where a
 * passphrase takes a million rounds of hashing in each command. All stacks of the tests have the same key.
 */
const stackKey = Buffer.alloc(32, "stack key of the tests");
const wrappedKey = `vault:v1:${stackKey.toString("hex")}`;

export const secretsProvider = {
  secretsprovider: "hashivault://tests",
  encryptedkey: Buffer.from(wrappedKey).toString("base64"),
};

export const keyServiceEnvironment = (url: string): Record<string, string> => ({
  VAULT_SERVER_URL: url,
  VAULT_SERVER_TOKEN: "any",
});

export const isKeyRequest = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/v1/transit/");

export function answerKeyRequest(response: ServerResponse): void {
  const data = { plaintext: stackKey.toString("base64"), ciphertext: wrappedKey };
  response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
}

export function encrypt(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", stackKey, nonce);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${encrypted.toString("base64")}`;
}
