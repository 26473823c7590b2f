import { summaryOf } from "../../../provider/src/cli/summary/summary";

export const PIPE = "pulumi-nodejs:dynamic/datapipes:Pipe";
export const urnOf = (name: string, type = PIPE): string => `urn:pulumi:dev::shop::${type}::${name}`;
export const stackStep = (op: string) => ({
  op,
  urn: urnOf("shop-dev", "pulumi:pulumi:Stack"),
  newState: { type: "pulumi:pulumi:Stack" },
});

interface Given {
  name?: string;
  type?: string;
  before?: object;
  after?: object;
  more?: object;
}

export const stepOf = (op: string, { name = "orders", type = PIPE, before, after, more }: Given): object => ({
  op,
  urn: urnOf(name, type),
  ...(before && { oldState: { type, inputs: before } }),
  ...(after && { newState: { type, inputs: after } }),
  ...more,
});

export const summaryOfSteps = (steps: readonly object[], more: object = {}, maxLength = 60_000): string =>
  summaryOf(JSON.stringify({ steps: [stackStep("same"), ...steps], ...more }), { maxLength });

export const update = (before: object, after: object, ...paths: string[]): object =>
  stepOf("update", {
    before,
    after,
    more: { detailedDiff: Object.fromEntries(paths.map((path) => [path, { kind: "update" }])) },
  });
