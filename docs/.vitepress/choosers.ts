const LABELS: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  java: "Java",
  csharp: "C#",
  yaml: "YAML",
  hcl: "HCL",
};

const CHOOSER = /^\{\{< chooser language "[\w,]+" >\}\}$([\s\S]*?)^\{\{< \/chooser >\}\}$/gm;
const CHOICE = /^\{\{% choosable language (\w+) %\}\}$([\s\S]*?)^\{\{% \/choosable %\}\}$/gm;
/** A program of a choice. One of several has its name before it: `Maven:`. */
const PROGRAM = /(?:^(\w+):\n+)?^```(\w*)\n([\s\S]*?)^```$/gm;

const NAME = Object.values(LABELS).join("|");
/** A paragraph that begins with the name of a language, and the program that it introduces. */
const INTRODUCED = new RegExp(`^((${NAME})(?:, .+)?:)\\n\\n\`\`\`(\\w+)\\n([^]*?)^\`\`\`\\n\\n?`, "gm");
const PROGRAMS = new RegExp(`(?:${INTRODUCED.source}){2,}`, "gm");

const tab = (info: string, label: string, code: string): string => `\`\`\`${info} [${label}]\n${code}\`\`\``;
const tabs = (all: string): string => `::: code-group\n${all}\n:::`;

const tabsOf = (language: string, programs: string): string =>
  programs.trim().replace(PROGRAM, (_, name: string | undefined, info: string, code: string) => {
    const label = LABELS[language] ?? language;
    return tab(info, name === undefined ? label : `${label} (${name})`, code);
  });

/** The tabs of the site: choosers of languages, as Pulumi's registry has them, and programs that follow each other in several languages. */
export const withTabs = (text: string): string =>
  text
    .replace(CHOOSER, (_, choices: string) =>
      tabs(choices.replace(CHOICE, (_choice, language: string, inside: string) => tabsOf(language, inside))),
    )
    .replace(PROGRAMS, (programs) => {
      const all = [...programs.matchAll(INTRODUCED)];
      const notes = all.flatMap(([, text = "", name = ""]) =>
        text === `${name}:` ? [] : [text.replace(/:$/, ".")],
      );
      const code = all.map(([, , name = "", info = "", code = ""]) => tab(info, name, code));
      return `${[tabs(code.join("\n")), ...notes].join("\n\n")}\n\n`;
    });
