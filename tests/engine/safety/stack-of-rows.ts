import { DEFAULT_ACCOUNT } from "../../../simulator/src/index";
import type { Deployment } from "../../../testkit/deployment";
import { newSimulator, type SeedPipe, type Simulator } from "../../../testkit/simulator";
import { newStack, type TestStack } from "../../../testkit/stack";
import { errorsOf, previewOf, snapshot, type Observation, type Preview, type Snapshot } from "./observation";
import {
  adopts,
  declarationsOf,
  logicalName,
  programOf,
  seedOf,
  type Declaration,
  type Place,
  type Version,
} from "./program";
import type { Row } from "./rows";
import { othersEntries } from "./settings-rules";

/** The id of the service of a number. */
export const serviceAt = (index: number): string =>
  `0a1b2c3d-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;

/** The service that configuration names, first and after the change. */
const defaults = { first: serviceAt(0xd1), changed: serviceAt(0xd2) };

/** On a busy machine a run of all rows takes long. */
const mostSeconds = 900;

/** The first numbers of services are the configuration's. */
const FIRST_OWN_SERVICE = 0x1000;

/** Many rows in one stack, each with services of its own: one run of the CLI runs all of them. */
export class StackOfRows {
  private constructor(
    readonly simulator: Simulator,
    readonly stack: TestStack,
    private readonly rows: readonly Row[],
    private readonly places: ReadonlyMap<Row, Place>,
  ) {}

  /** Deploys the first program of all rows. */
  static async deploy(rows: readonly Row[]): Promise<StackOfRows> {
    const services = rows.map((row, index) => servicesOf(row, FIRST_OWN_SERVICE + 2 * index));
    const serviceIds = [...new Set([defaults.first, defaults.changed, ...services.flat()])];
    const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    for (const id of serviceIds) simulator.control.editService(id, othersEntries);
    const places = new Map(
      rows.map((row, index) => [row, seed(simulator, row, services[index] ?? ["", ""])]),
    );
    // With so many resources a write of the state takes long, so the engine writes it once, at the end of the run.
    const env = { PULUMI_SKIP_CHECKPOINTS: "true" };
    const stack = await newStack({ simulator, config: { maxRetries: "0" }, env });
    const all = new StackOfRows(simulator, stack, rows, places);
    await all.write(1);
    await stack.up({ seconds: mostSeconds });
    all.rememberCreated(await stack.export());
    await all.addSecondHolders();
    simulator.control.clearRequests();
    return all;
  }

  placeOf(row: Row): Place {
    const place = this.places.get(row);
    if (place === undefined) throw new Error(`${row.name} is not in the stack`);
    return place;
  }

  /** Writes that version of the program; rows that are not in `changed` stay as they are. */
  async write(version: Version, changed: readonly Row[] = this.rows): Promise<void> {
    const others = this.rows.filter((row) => !changed.includes(row));
    // A preview ends at its first failure, so what may fail comes first.
    const declarations = [
      ...changed.flatMap((row) => declarationsOf(row, this.placeOf(row), version)),
      ...others.flatMap((row) => this.steady(row)),
    ];
    await this.stack.write(programOf(declarations));
  }

  /** What a row declares so that nothing changes, whatever configuration says. */
  private steady(row: Row): Declaration[] {
    const place = this.placeOf(row);
    return declarationsOf(row, place, 1).map((one) => ({
      ...one,
      args: { ...one.args, serviceId: place.serviceId },
    }));
  }

  /** Changes the service that configuration names. */
  async changeDefaults(to: keyof typeof defaults): Promise<void> {
    await this.stack.setConfig({ serviceId: defaults[to] });
  }

  /** Previews and runs that version of the program, and returns the observation. */
  async run(version: 2 | 3): Promise<Observation> {
    await this.write(version);
    const flags = version === 2 ? this.replaceFlags() : [];
    const before = await this.snapshot();
    const preview = previewOf(
      await this.stack.preview({ json: true, flags: [...flags, "--show-replacement-steps"] }),
    );
    this.simulator.control.clearRequests();
    const up = await this.stack.up({
      flags: [...flags, "--continue-on-error"],
      expectFailure: "either",
      seconds: mostSeconds,
    });
    const requests = this.simulator.control.requests();
    const after = await this.snapshot();
    return { before, preview, requests, errors: errorsOf(up), after, next: await this.preview() };
  }

  async preview(flags: readonly string[] = []): Promise<Preview> {
    return previewOf(await this.stack.preview({ json: true, flags, expectFailure: "either" }));
  }

  private async snapshot(): Promise<Snapshot> {
    return snapshot(await this.stack.export(), this.simulator);
  }

  private replaceFlags(): string[] {
    const kinds = new Set(
      this.rows.filter(({ action }) => action === "replace-flag").map(({ kind }) => kind),
    );
    return [...kinds].flatMap((kind) => ["--replace", `**${kind}.replace-flag.*`]);
  }

  /** The ids of what the first program made, for those programs that adopt it later. */
  private rememberCreated(deployment: Deployment): void {
    for (const row of this.rows) {
      if (row.kind === "ServiceSettings" || adopts(row, 1)) continue;
      const { id = "" } = deployment.named(logicalName(row, 1));
      Object.assign(this.placeOf(row), { adopt: id });
    }
  }

  /** Makes a state that older versions could write: two resources with one id. */
  private async addSecondHolders(): Promise<void> {
    const shared = new Set(
      this.rows.filter(({ action }) => action === "holder-removed").map((row) => logicalName(row, 1)),
    );
    if (shared.size === 0) return;
    const exported = JSON.parse((await this.stack.export()).text) as ExportedState;
    const { deployment } = exported;
    deployment.resources = deployment.resources.flatMap((resource) =>
      shared.has(resource.urn.split("::").at(-1) ?? "")
        ? [resource, { ...resource, urn: `${resource.urn}.second` }]
        : [resource],
    );
    await this.stack.writeFile("edited.json", JSON.stringify(exported));
    await this.stack.pulumi(["stack", "import", "--file", "edited.json"]);
  }
}

interface ExportedState {
  deployment: { resources: { urn: string }[] };
}

/** The two services of a row. Rows without a service of their own go by configuration. */
const servicesOf = ({ action }: Row, index: number): [string, string] =>
  action === "defaults-changed"
    ? [defaults.first, defaults.changed]
    : [serviceAt(index), serviceAt(index + 1)];

/** Makes the pipe that the first program adopts. */
function seed(simulator: Simulator, row: Row, [serviceId, otherServiceId]: [string, string]): Place {
  if (row.kind !== "Pipe" || !adopts(row, 1)) return { serviceId, otherServiceId, adopt: "" };
  const [pipe] = simulator.control.seedPipes([seedOf(row) as unknown as SeedPipe], serviceId);
  return { serviceId, otherServiceId, adopt: pipe?.id ?? "" };
}
