/** What the page says of one message. */
export interface Entry {
  readonly title: string;
  /** The message, or the part of it that is always the same, with a placeholder such as `<name>` for each part that differs. */
  readonly texts: readonly string[];
  /** What it means, in one or two sentences. */
  readonly means: string;
  /** What to do, beyond the step that the message itself names. */
  readonly next?: string;
}

export const entry = (title: string, texts: readonly string[], means: string, next?: string): Entry => ({
  title,
  texts,
  means,
  ...(next !== undefined && { next }),
});

/** The pages that entries refer to. */
export const FAILED_RUN = "[Recover from a failed run](failed-run.md)";
export const REFUSED_DELETION = "[The service refuses](delete-or-retain.md#the-service-refuses)";
export const CHANGES = "[What a change of a field does](../reference/pipe.md#changes)";
export const CONFIGURATION = "[Configuration](../reference/configuration.md)";
export const TAKE_OVER = "[Take over existing pipes](take-over-a-pipe.md)";

const PLACEHOLDER = /<[^<>]*>/;
const END = /^[\s.,:;()]+|[\s.,:;()]+$/g;

/** The parts of a text that are always the same. */
export const fixedParts = (text: string): readonly string[] =>
  text
    .split(PLACEHOLDER)
    .map((part) => part.replace(END, ""))
    .filter((part) => part !== "");

/** Whether a message contains the fixed parts in their order. A message that ends with `…` may lack the last ones. */
export function isShownBy(message: string, parts: readonly string[]): boolean {
  const isCut = message.endsWith("…");
  const text = isCut ? message.slice(0, -1) : message;
  let position = 0;
  for (const part of parts) {
    const found = text.indexOf(part, position);
    if (found < 0) return isCut && endsWithin(text, part);
    position = found + part.length;
  }
  return true;
}

/** How many characters of a part a cut message must have. */
const MIN_CUT = 12;

/** Whether a text ends in the middle of a part. */
function endsWithin(text: string, part: string): boolean {
  for (let length = Math.min(part.length, text.length); length >= MIN_CUT; length -= 1)
    if (text.endsWith(part.slice(0, length))) return true;
  return false;
}
