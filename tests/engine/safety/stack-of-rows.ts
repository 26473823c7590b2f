import { DEFAULT_ACCOUNT } from "../../../simulator/src/index";
import type { Deployment } from "../../kit/deployment";
import { errorsOf } from "../messages";
import { nameIn, previewOf, type Preview } from "../plan";
import { newSimulator, type Simulator } from "../../kit/simulator";
import { newStack, type TestStack } from "../../kit/stack";
import { adopts, declarationsOf, logicalName, programOf, seedOf, type Place, type Version } from "./program";
import type { Row } from "./rows";

export const serviceAt = (index: number): string =>
  `0a1b2c3d-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;

/** The services that configuration names: first, and after the change. */
const defaults = [serviceAt(0xd1), serviceAt(0xd2)] as const;

/** The service of a row. Rows without a service of their own go by configuration. */
const placeOf = ({ action }: Row, index: number): Place => ({
  serviceId: action === "defaults-changed" ? defaults[0] : serviceAt(0x1000 + index),
  adopt: "",
});

function snapshot(deployment: Deployment, simulator: Simulator) {
  const { pipes, endpoints } = simulator.control.state();
  return {
    /** The resources of the state; `name` is the logical one. */
    holders: deployment.resources.flatMap(({ urn, type, id }) =>
      type.includes("datapipes:") && id !== undefined ? [{ urn, name: nameIn(urn), id }] : [],
    ),
    /** The pipes and endpoints of the services, each with the name of the row that it belongs to. */
    things: [
      ...pipes.map(({ id, destination }) => ({ id, owner: destination.table ?? "" })),
      ...endpoints.map(({ id, description = "" }) => ({ id, owner: description.replace(/: \w+$/, "") })),
    ],
  };
}

export type Snapshot = ReturnType<typeof snapshot>;

/** Many rows in one stack, each with services of its own: one run of the CLI runs all of them. */
export class StackOfRows {
  private constructor(
    private readonly simulator: Simulator,
    private readonly stack: TestStack,
    private readonly places: ReadonlyMap<Row, Place>,
  ) {}

  /** Deploys the first program of all rows, and changes the service that configuration names. */
  static async deploy(rows: readonly Row[]): Promise<StackOfRows> {
    const places = new Map(rows.map((row, index) => [row, placeOf(row, index)]));
    const serviceIds = [...new Set([...defaults, ...[...places.values()].map(({ serviceId }) => serviceId)])];
    const simulator = await newSimulator({ accounts: [{ ...DEFAULT_ACCOUNT, serviceIds }] });
    const { control } = simulator;
    const stack = await newStack({ simulator, config: { maxRetries: "0" } });
    const all = new StackOfRows(simulator, stack, places);
    for (const [row, place] of places)
      if (adopts(row, 1)) place.adopt = control.seedPipes([seedOf(row)], place.serviceId)[0]?.id ?? "";
    await all.write(1);
    // The engine writes the state at the end of this run: no provider instance needs what another one has adopted.
    await stack.up({ env: { PULUMI_SKIP_CHECKPOINTS: "true" } });
    const state = await stack.export();
    for (const [row, place] of places) place.adopt ||= state.named(logicalName(row, 1)).id ?? "";
    await all.addSecondHolders();
    await stack.setConfig({ serviceId: defaults[1] });
    return all;
  }

  private async write(version: Version): Promise<void> {
    const declared = [...this.places].flatMap(([row, place]) => declarationsOf(row, place, version));
    await this.stack.write(programOf(declared));
  }

  async run(version: 2 | 3) {
    await this.write(version);
    const kinds = ["Pipe", "ReversePrivateEndpoint"];
    const flags = kinds.flatMap((kind) => ["--replace", `**${kind}.replace-flag.*`]);
    const before = await this.snapshot();
    const json = { json: true, flags: [...flags, "--show-replacement-steps"] };
    const preview = previewOf(await this.stack.preview(json));
    this.simulator.control.clearRequests();
    const up = await this.stack.up({
      flags: [...flags, "--continue-on-error"],
      expectFailure: "either",
    });
    const requests = this.simulator.control.requests();
    const after = await this.snapshot();
    return { before, preview, requests, errors: errorsOf(up), after, next: await this.preview() };
  }

  async preview(flags: readonly string[] = []): Promise<Preview> {
    return previewOf(await this.stack.preview({ json: true, flags, expectFailure: "either" }));
  }

  private snapshot = async () => snapshot(await this.stack.export(), this.simulator);

  /** Makes a state that older versions could write: two resources with one id. */
  private addSecondHolders(): Promise<void> {
    const rows = [...this.places.keys()].filter(({ action }) => action === "holder-removed");
    const shared = rows.map(({ name }) => `::${name}`);
    return this.stack.editState((resource) =>
      shared.some((end) => resource.urn.endsWith(end))
        ? [resource, { ...resource, urn: `${resource.urn}.second` }]
        : [resource],
    );
  }
}

/** One run: the snapshots before and after it, its preview, requests and errors, and the preview right after it. */
export type Observation = Awaited<ReturnType<StackOfRows["run"]>>;
