import { changesBetween, withCurrentValue } from "../../../provider/src/core/changes";
import { pipeFields } from "../../../testkit/pipe-fields";

test("a refused change names the service's value, also where the program declared none before", () => {
  const observed = { scaling: { replicas: 1, concurrency: 5 } };
  const changes = changesBetween(
    pipeFields,
    { scaling: { concurrency: 4 } },
    { scaling: { replicas: 3, concurrency: 6 } },
  );
  const before = changes.map((change) => [change.path, withCurrentValue(change, observed).before]);
  expect(Object.fromEntries(before)).toEqual({ "scaling.replicas": 1, "scaling.concurrency": 4 });
});
