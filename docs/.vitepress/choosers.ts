const LABELS: Record<string, string> = { typescript: "TypeScript", csharp: "C#", yaml: "YAML" };

const CHOOSER = /^\{\{< chooser language "[\w,]+" >\}\}$([\s\S]*?)^\{\{< \/chooser >\}\}$/gm;
const CHOICE = /^\{\{% choosable language (\w+) %\}\}$([\s\S]*?)^\{\{% \/choosable %\}\}$/gm;
/** A program of a choice. One of several has its name before it: `Maven:`. */
const PROGRAM = /(?:^(\w+):\n+)?^```(\w*)\n([\s\S]*?)^```$/gm;

/** Choosers of languages, as Pulumi's registry has them, as tabs of the site. */
export const withTabs = (text: string): string =>
  text.replace(CHOOSER, (_, choices: string) => {
    const tabs = [...choices.matchAll(CHOICE)].flatMap(([, language = "", inside = ""]) =>
      [...inside.matchAll(PROGRAM)].map(([, name, info = "", code = ""]) => {
        const label = LABELS[language] ?? language.charAt(0).toUpperCase() + language.slice(1);
        return `\`\`\`${info} [${name === undefined ? label : `${label} (${name})`}]\n${code}\`\`\``;
      }),
    );
    return `::: code-group\n${tabs.join("\n")}\n:::`;
  });
