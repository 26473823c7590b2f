/** A text as one word of a shell's command, with quotes only where it needs them. */
export const shellWord = (text: string): string =>
  /^[\w./@:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
