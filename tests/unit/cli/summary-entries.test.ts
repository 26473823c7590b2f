import { summaryOfSteps, update } from "./summary-steps";

test("names the entries of a set by their keys, one line for each change", () => {
  const mapping = (id: string, sourceField = `$.${id}`) => ({ sourceField, destinationField: id });
  const before = { fieldMappings: ["a", "b", "c", "d"].map((id) => mapping(id)) };
  const after = { fieldMappings: [mapping("d"), mapping("a", "$.x"), mapping("c"), mapping("e")] };
  const paths = [
    "fieldMappings[0].sourceField",
    "fieldMappings[1].sourceField",
    "fieldMappings[2].sourceField",
    "fieldMappings[3].sourceField",
  ];
  expect(summaryOfSteps([update(before, after, ...paths)])).toContain(`- Pipe \`orders\`
  - \`fieldMappings[a].sourceField\`: \`$.a\` → \`$.x\`
  - \`fieldMappings[b]\`: \`{"sourceField":"$.b","destinationField":"b"}\` (removed)
  - \`fieldMappings[e]\`: \`{"sourceField":"$.e","destinationField":"e"}\` (new)
`);
});

test("names the entry of a set of texts by its value", () => {
  const before = { source: { kafka: { reversePrivateEndpointIds: ["a", "b"] } } };
  const after = { source: { kafka: { reversePrivateEndpointIds: ["b", "c"] } } };
  const path = "source.kafka.reversePrivateEndpointIds";
  expect(summaryOfSteps([update(before, after, `${path}[0]`, `${path}[1]`)])).toContain(
    `  - \`${path}\`: \`a\` (removed)\n  - \`${path}\`: \`c\` (new)\n`,
  );
});
