/** A message that the CLI shows below its list of steps. */
interface Message {
  /** The logical name of the resource that it is about. */
  readonly resource: string;
  readonly isError: boolean;
  readonly text: string;
}

const HEADING = /^ {2}(\S+) \((.+)\):$/;

/** The messages of a run, in the order in which the CLI shows them. */
export function messagesOf(output: string): readonly Message[] {
  const section = output.split("\nDiagnostics:\n")[1]?.split(/\n(?=\S)/)[0] ?? "";
  return section.split(/\n(?= {2}\S)/).flatMap((part) => {
    const [first = "", ...lines] = part.split("\n");
    const [, type, resource = ""] = HEADING.exec(first) ?? [];
    // What belongs to the stack are lines of many; a resource has errors, of which each may have several lines.
    const end = type === "pulumi:pulumi:Stack" ? /\n/ : /\n(?= {4}(?:error|warning): )/;
    const texts = lines.join("\n").split(end);
    return texts.flatMap((text) => messageOf(resource, text.replaceAll(/^ {4}/gm, "").trim()));
  });
}

/** What the CLI writes before an error; it counts those of a resource that exists all the same. */
const BEFORE_ERROR = /^error: (?:1 error occurred:\s+\* )?/;

const messageOf = (resource: string, text: string): readonly Message[] =>
  text === ""
    ? []
    : [{ resource, isError: BEFORE_ERROR.test(text), text: text.replace(BEFORE_ERROR, "").trim() }];
