/** A message that the CLI shows below its list of steps. */
interface Message {
  /** The logical name of the resource that it is about. */
  readonly resource: string;
  readonly isError: boolean;
  readonly text: string;
}

const HEADING = /^ {2}\S+ \((.+)\):$/;

/** The messages of a run, in the order in which the CLI shows them. */
export function messagesOf(output: string): readonly Message[] {
  const section = output.split("\nDiagnostics:\n")[1]?.split(/\n(?=\S)/)[0] ?? "";
  const messages: Message[] = [];
  let resource = "";
  for (const block of section.split(/\n(?= {2}\S)|\n\n|\n(?= {4}(?:error|warning): )/)) {
    const [first = "", ...lines] = block.split("\n");
    const heading = HEADING.exec(first)?.[1];
    resource = heading ?? resource;
    const text = (heading === undefined ? [first, ...lines] : lines)
      .map((line) => line.slice(4))
      .join("\n")
      .trim();
    if (text === "") continue;
    const isError = text.startsWith("error: ");
    messages.push({ resource, isError, text: text.replace(/^error: /, "") });
  }
  return messages;
}
