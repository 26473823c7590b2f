import MarkdownIt from "markdown-it";

const { utils } = new MarkdownIt();

/** A text inside an element of XML. XML reserves no other characters there than HTML. */
export const escapedXml = (text: string): string => utils.escapeHtml(text);
