import { readFileSync } from "node:fs";
import path from "node:path";
import { reports } from "../../tools/api-report/report";

const repository = path.resolve(__dirname, "../..");

test("the API reports show the public surface of the compiled packages", () => {
  for (const { path: file, text } of reports())
    expect({ file, text: readFileSync(path.join(repository, file), "utf8") }).toEqual({ file, text });
});
