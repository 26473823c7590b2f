import { diagnosticsOf } from "./compiler";

test("correct programs compile, wrong ones fail, and schema and arguments have the same fields", () => {
  const diagnostics = diagnosticsOf(["right.ts", "wrong.ts", "laws.ts"]);
  expect(diagnostics.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
}, 120_000);
