import { HIDDEN_INPUTS } from "../../../provider/src/lifecycle/hidden-inputs";
import { IdsInUse } from "../../../provider/src/lifecycle/ids-in-use";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { failuresOf, serviceId } from "../../../testkit/offline";
import { newRun } from "../../../testkit/run-files";

const other = "0A1B2C3D-0000-4000-8000-00000000AAAA";
const here = "https://api.example.com";
const there = "https://eu.example.com";

/** A check of a resource: by its key, its process, its service and its server. */
type Checked = readonly [key: string, processId: number, service?: string, server?: string];

/** What a check says of each resource, in one run. */
function failuresOfEach(...resources: readonly Checked[]) {
  const fileOf = newRun();
  const ids = [1, 2].map((processId) => new IdsInUse(fileOf(processId)));
  return resources.map(([key, processId, service, server = here]) => {
    const args = { [HIDDEN_INPUTS.key]: key, ...(service !== undefined && { serviceId: service }) };
    return failuresOf(args, (context) =>
      serviceSettingsDefinition({ ...context, ids: ids[processId - 1] ?? context.ids, server }),
    );
  });
}

const refusal = (names: string, service: string): string =>
  `ServiceSettings ${names} are both for service ${service}. A program can have one ServiceSettings for each ` +
  "service: merge the two into one.";
const one = "ServiceSettings::one";
const two = "ServiceSettings::two";

test.each<[what: string, first: Checked, second: Checked]>([
  ["one resource twice", [one, 1], [one, 1]],
  ["two services", [one, 1], [two, 1, other]],
  ["one service at each of two servers", [one, 1], [two, 1, serviceId, there]],
  ["one service at each of two servers, by two providers", [one, 1], [two, 2, serviceId, there]],
])("accepts the settings of %s", (_, first, second) => {
  expect(failuresOfEach(first, second)).toEqual([[], []]);
});

test("refuses a second resource for the settings of a service, in any spelling of its id, and the first one stays", () => {
  const [capitals, small] = [other, other.toLowerCase()];
  const names = '"two" and "one"';
  const failures = failuresOfEach([one, 1, capitals], [two, 1, small], [one, 1, small]);
  expect(failures).toEqual([[], [refusal(names, small)], []]);
  expect(failuresOfEach([one, 1], [two, 2])[1]).toEqual([
    refusal('"two" and one of another provider', serviceId),
  ]);
  expect(failuresOfEach(["Group$ServiceSettings::one", 1], [one, 1])[1]).toEqual([
    refusal('"one" and "Group$ServiceSettings::one"', serviceId),
  ]);
});
