const LABELS: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  java: "Java",
  csharp: "C#",
  yaml: "YAML",
};

const CHOOSER = /^\{\{< chooser language "[\w,]+" >\}\}$([\s\S]*?)^\{\{< \/chooser >\}\}$/gm;
const CHOICE =
  /^\{\{% choosable language (\w+) %\}\}\n+```(\w*)\n([\s\S]*?)^```\n+\{\{% \/choosable %\}\}$/gm;

/** The choosers of languages in the pages for Pulumi's registry, as the tabs of this site. */
export const withTabs = (text: string): string =>
  text.replace(CHOOSER, (_, choices: string) => {
    const tabs = choices.replace(
      CHOICE,
      (_choice, language: string, info: string, code: string) =>
        `\`\`\`${info} [${LABELS[language] ?? language}]\n${code}\`\`\``,
    );
    return `::: code-group\n${tabs}\n:::`;
  });
