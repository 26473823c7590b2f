import { counted } from "../messages/enumerated";

const UUID_LENGTH = 36;

const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** White space that people do not see, and control characters. */
export function defectOfText(text: string): string | undefined {
  const value = text.trim();
  if (value === "") return "contains only whitespace";
  if (LINE_BREAK.test(text.slice(text.trimEnd().length))) return "ends with a line break";
  if (LINE_BREAK.test(value)) return "contains a line break";
  return /\p{Cc}/u.test(value) ? "contains a control character" : undefined;
}

/** Why a text is not a UUID, if its length says so. */
export const defectOfUuid = ({ length }: string): string | undefined =>
  length === UUID_LENGTH ? undefined : `has ${counted(length, "character")} instead of ${UUID_LENGTH}`;

/**
 * What is wrong with a key secret that the stack's configuration holds unencrypted, and the command that encrypts it.
 */
export const PLAIN_SECRET = {
  problem:
    "datapipes:apiKeySecret is set as plain text: the stack's configuration and history hold it unencrypted.",
  command: "pulumi config set --secret datapipes:apiKeySecret",
} as const;

/** What programs and plugins say of it at each run. */
export const plainSecretWarning = `${PLAIN_SECRET.problem} Encrypt it with \`${PLAIN_SECRET.command}\`.`;
