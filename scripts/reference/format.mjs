// Formats files, which come as JSON on the standard input, and writes them in the same form.
import { text } from "node:stream/consumers";
import { format, resolveConfig } from "prettier";

/** @type {readonly { path: string, text: string }[]} */
const files = JSON.parse(await text(process.stdin));
const formatted = files.map(async (file) => ({
  ...file,
  text: await format(file.text, { ...(await resolveConfig(file.path)), filepath: file.path }),
}));
process.stdout.write(JSON.stringify(await Promise.all(formatted)));
