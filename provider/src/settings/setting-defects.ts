const UUID_LENGTH = 36;

const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** White space that people do not see, and control characters. */
export function defectOfText(text: string): string | undefined {
  const value = text.trim();
  if (value === "") return "contains only white space";
  if (LINE_BREAK.test(text.slice(text.trimEnd().length))) return "ends with a line break";
  if (LINE_BREAK.test(text.slice(0, text.length - text.trimStart().length)))
    return "begins with a line break";
  if (LINE_BREAK.test(value)) return "contains a line break";
  return /\p{Cc}/u.test(value) ? "contains a control character" : undefined;
}

/** White space at the ends of a value that the provider sends unchanged. */
export function defectOfEnds(text: string): string | undefined {
  if (text !== text.trimStart()) return "begins with white space";
  return text === text.trimEnd() ? undefined : "ends with white space";
}

/** White space, quotes and invisible characters in a value that is one word. */
function defectOfWord(text: string): string | undefined {
  if (/^(["'`]).*\1$/.test(text)) return "is in quotes";
  if (/\s/.test(text)) return "contains white space";
  return /\p{Cf}/u.test(text) ? "contains an invisible character" : undefined;
}

/** Why a text is not a UUID. */
export function defectOfUuid(text: string): string | undefined {
  const word = defectOfWord(text);
  if (word !== undefined) return word;
  if (/^[{(<[].*[})>\]]$/.test(text)) return "is in brackets";
  if (/^urn:/i.test(text)) return "begins with urn:";
  if (/^[0-9a-f]{32}$/i.test(text)) return "lacks the hyphens";
  const { length } = text;
  if (length === UUID_LENGTH) return "has the length of a UUID, but another form";
  return `has ${length} ${length === 1 ? "character" : "characters"} instead of ${UUID_LENGTH}`;
}

/** The path of an operation begins with /v1. A gateway may have another path before it. */
export const OPERATION_PATH = /\/v1\/+[^/]/;

/** Why a text is not the URL of an API. */
export function defectOfUrl(text: string): string | undefined {
  if (text.includes("@")) return "contains a user name";
  const word = defectOfWord(text);
  if (word !== undefined) return word;
  if (text.includes("?")) return "contains a query";
  if (text.includes("#")) return "contains a fragment";
  if (!text.includes("://")) return "does not begin with https://";
  if (OPERATION_PATH.test(text)) return "has a path after /v1";
  return /^https?:/i.test(text) ? "is not a URL" : "has another scheme than https";
}

/** What is wrong with a key secret that the stack's configuration holds unencrypted, and the command that encrypts it. */
export const PLAIN_SECRET = {
  problem:
    "datapipes:apiKeySecret is set as plain text: the stack's configuration and history hold it unencrypted.",
  command: "pulumi config set --secret datapipes:apiKeySecret",
} as const;

/** What programs and plugins say of it at each run. */
export const plainSecretWarning = `${PLAIN_SECRET.problem} Encrypt it with \`${PLAIN_SECRET.command}\`.`;
