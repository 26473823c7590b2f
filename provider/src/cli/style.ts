import { WriteStream } from "node:tty";
import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** Fewer bits are for terminals without colours. */
const MIN_COLOR_BITS = 4;

/** Whether a stream shows colours, by the rules of Node.js: FORCE_COLOR, or a terminal with colours and no NO_COLOR. */
export const showsColors = ({ isTTY }: { readonly isTTY?: boolean }): boolean =>
  (isTTY === true || process.env["FORCE_COLOR"] !== undefined) &&
  WriteStream.prototype.getColorDepth(process.env) >= MIN_COLOR_BITS;

/** A text in a style, wherever it goes: whoever calls this has asked {@link showsColors}. */
export const styledText = (style: Style, text: string): string =>
  styleText(style, text, { validateStream: false });

/** Gives each line of a text the style of its index. */
export const styledLines =
  (styles: readonly (Style | undefined)[]) =>
  (text: string): string =>
    text
      .split("\n")
      .map((line, index) => {
        const style = styles[index];
        return style === undefined ? line : styledText(style, line);
      })
      .join("\n");
