import type { Run } from "../kit/cli";

/** What the CLI writes before an error; it counts those of a resource that exists all the same. */
const BEFORE_ERROR = /^error: (?:1 error occurred:\s+\* )?/;

/** The messages of a run, in the order in which the CLI shows them; what belongs to the stack has a message in each line. */
export function messagesOf(output: string) {
  const section = output.split("\nDiagnostics:\n")[1]?.split(/\n(?=\S)/)[0] ?? "";
  return section.split(/\n(?= {2}\S)/).flatMap((part) => {
    const [first = "", ...lines] = part.split("\n");
    const [, type, resource = ""] = /^ {2}(\S+) \((.+)\):$/.exec(first) ?? [];
    const end = type === "pulumi:pulumi:Stack" ? /\n/ : /\n(?= {4}(?:error|warning): )/;
    return lines
      .join("\n")
      .split(end)
      .map((text) => text.replaceAll(/^ {4}/gm, "").trim())
      .filter((text) => text !== "")
      .map((text) => ({
        resource,
        isError: BEFORE_ERROR.test(text),
        text: text.replace(BEFORE_ERROR, "").trim(),
      }));
  });
}

/** The errors of a run, by the logical name of the resource. */
export const errorsOf = ({ output }: Run): ReadonlyMap<string, string> =>
  new Map(messagesOf(output).flatMap(({ isError, resource, text }) => (isError ? [[resource, text]] : [])));
