import { stackOf } from "./example";

// The integration test among them deploys, previews, refreshes and destroys the program.
test("unit-tests passes its own tests, with and without the simulator", async () => {
  const { stack } = await stackOf("unit-tests");
  const { output } = await stack.node(["node_modules/jest/bin/jest.js", "--ci"]);
  expect(output).toContain("PASS ./pipes.test.ts");
  expect(output).toContain("PASS ./pipes.integration.test.ts");
});
