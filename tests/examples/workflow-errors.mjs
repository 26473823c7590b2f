/**
 * Prints what GitHub's own parser of workflows finds wrong in a file, as a JSON list of texts. It is an ES module,
 * which Jest cannot load, and imports JSON without the attribute that Node requires.
 */
import { readFileSync } from "node:fs";
import { register } from "node:module";

const HOOKS = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);`;
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);

const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } =
  await import("@actions/workflow-parser");

const [name = ""] = process.argv.slice(2);
const { context, value } = parseWorkflow(
  { name, content: readFileSync(name, "utf8") },
  new NoOperationTraceWriter(),
);
// The conversion adds its findings to those of the parser.
if (value !== undefined) await convertWorkflowTemplate(context, value);
process.stdout.write(JSON.stringify(context.errors.getErrors().map(({ message }) => message)));
