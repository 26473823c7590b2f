import { HIDDEN_INPUTS } from "../../../provider/src/lifecycle/state/hidden-inputs";
import { describeFailure } from "../../../provider/src/lifecycle/comparison/validation";
import { serviceSettingsDefinition } from "../../../provider/src/resources/service-settings/definition";
import { offlineLifecycle, serviceId } from "../../kit/lifecycle";

const other = "0A1B2C3D-0000-4000-8000-00000000AAAA";

/** A check of a resource, by its key, and its service. */
type Checked = readonly [key: string, service?: string];

/** What the checks of a run say of each resource. */
async function failuresOfEach(...resources: readonly Checked[]) {
  const { lifecycle } = offlineLifecycle({}, serviceSettingsDefinition);
  const failures: string[][] = [];
  for (const [key, service] of resources) {
    const args = { [HIDDEN_INPUTS.key]: key, ...(service !== undefined && { serviceId: service }) };
    failures.push(
      (await lifecycle.checkAgainstOthers(lifecycle.check(undefined, args))).map(describeFailure),
    );
  }
  return failures;
}

const refusal = (names: string, service: string): string =>
  `ServiceSettings ${names} are both for service ${service}. A program can have one ServiceSettings for each ` +
  "service: merge the two into one.";
const one = "ServiceSettings::one";
const two = "ServiceSettings::two";

test.each<[what: string, first: Checked, second: Checked]>([
  ["one resource twice", [one], [one]],
  ["two services", [one], [two, other]],
])("accepts the settings of %s", async (_, first, second) => {
  expect(await failuresOfEach(first, second)).toEqual([[], []]);
});

test("refuses a second resource for a service, in any format of its id; the first one stays", async () => {
  const small = other.toLowerCase();
  const failures = await failuresOfEach([one, other], [two, small], [one, small]);
  expect(failures).toEqual([[], [refusal('"two" and "one"', small)], []]);
  expect((await failuresOfEach(["Group$ServiceSettings::one"], [one]))[1]).toEqual([
    refusal('"one" and "Group$ServiceSettings::one"', serviceId),
  ]);
});
