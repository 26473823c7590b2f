import { Terminal } from "@xterm/headless";
import { keptRecordings } from "../../tools/recordings/files";
import { pictureOf, THEMES } from "../../tools/recordings/picture";
import { rowsOf, type Span } from "../../tools/recordings/spans";

const plain = { color: undefined, bold: false, dim: false, underlined: false };

async function rows(output: string): Promise<readonly (readonly Span[])[]> {
  const terminal = new Terminal({ cols: 20, rows: 10, allowProposedApi: true });
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });
  return rowsOf(terminal);
}

test("joins the characters of one look, without spaces at the end of a row and rows without text at the end", async () => {
  const shown = await rows("a \x1b[38;5;3m~ b\x1b[0m \r\n\r\n\x1b[1;92mc\x1b[0m   \r\n \r\n");
  expect(shown).toEqual([
    [
      { ...plain, text: "a ", column: 0 },
      { ...plain, text: "~ b", column: 2, color: 3 },
    ],
    [],
    [{ ...plain, text: "c", column: 0, color: 10, bold: true }],
  ]);
});

test.each([
  ["a color of the 256", "\x1b[38;5;99mx"],
  ["a color by its components", "\x1b[38;2;1;2;3mx"],
  ["a background", "\x1b[41mx"],
  ["inverse text", "\x1b[7mx"],
  ["a wide character", "表"],
])("refuses %s, which the picture would not show", async (_, output) => {
  await expect(rows(output)).rejects.toThrow("a picture cannot show");
});

test("escapes text, places each span in its column, and has rules for the used colors alone", async () => {
  const picture = pictureOf("a < b", await rows('<"&">  \x1b[32mx'), 20);
  expect(picture).toContain('<title id="title">a &lt; b</title>');
  expect(picture).toContain('<desc id="text">&lt;&quot;&amp;&quot;&gt;  x</desc>');
  expect(picture).toContain(
    '<tspan x="16.0">&lt;&quot;&amp;&quot;&gt;</tspan><tspan x="75.0" class="c2">x</tspan>',
  );
  expect(picture.match(/^\.c\d+ .*$/gm)).toEqual([
    `.c2 { fill: ${THEMES.light.colors[1]}; }`,
    `.c2 { fill: ${THEMES.dark.colors[1]}; }`,
  ]);
});

/** The luminance of a color, as WCAG defines it. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map((hex) => {
    const part = Number.parseInt(hex, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(["light", "dark"] as const)("all colors can be read on the %s background", (name) => {
  const { background, text, muted, colors } = THEMES[name];
  for (const color of [text, muted, ...colors]) {
    const [bright = 0, dark = 0] = [background, color].map(luminanceOf).sort((a, b) => b - a);
    expect((bright + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
  }
});

test("the kept pictures say in their description what they show, and load nothing", async () => {
  const pictures = [...(await keptRecordings())].filter(([name]) => name.endsWith(".svg"));
  expect(pictures.length).toBeGreaterThan(0);
  for (const [, picture] of pictures) {
    const described = /<desc id="text">([^<]+)<\/desc>/.exec(picture)?.[1] ?? "";
    const shown = [...picture.matchAll(/<tspan [^>]*>([^<]*)<\/tspan>/g)].map(([, text]) => text);
    expect(shown.join("").replaceAll(/\s/g, "")).toBe(described.replaceAll(/\s/g, ""));
    expect(picture).toContain("[secret]");
    expect(picture).not.toMatch(/<(?:script|foreignObject|image|use|a)\b|href=|url\(|@import/i);
  }
});
