import { createCipheriv, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

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
