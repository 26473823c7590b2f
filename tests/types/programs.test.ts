import { complaintsOf } from "./compiler";

test("right programs compile, wrong ones do not, and schema and arguments have the same fields", () => {
  const complaints = complaintsOf(["right.ts", "wrong.ts", "laws.ts"]);
  expect(complaints.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
}, 120_000);
