/** A URL-encoded text decoded; a text that is not URL-encoded as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
