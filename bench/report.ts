import { UNCHANGED_CALLS, type Allocations } from "./allocations";
import { COUNTED, type Bytes } from "./bytes";
import { costsOf } from "./costs";
import type { Growth } from "./growth";
import {
  LARGEST_CHECKPOINTED,
  marginalCosts,
  MEASURES,
  ratioOf,
  valuesOf,
  type Cell,
  type Measure,
} from "./matrix";
import type { Networks } from "./networks";
import { FORMS, type OnePipe } from "./one-pipe";
import type { Outputs } from "./outputs";
import { conditionsOf, type Machine, type Results } from "./results";
import type { Starts } from "./starts";
import { shown, spreadOf } from "./statistics";
import { titleOf, VARIANTS, type ByVariant, type VariantName } from "./variants";

type Row = readonly (string | number)[];

/** What holds for all figures. */
export const heading = (machine: Machine): string => `${conditionsOf(machine)} Median (least–most).`;

/** The results in Markdown. */
export function report({ matrix, starts, "one-pipe": onePipe, ...rest }: Results): string {
  const { methods, allocations, outputs, bytes, networks, growth } = rest;
  const sections = [
    ...(matrix === undefined
      ? []
      : [
          ...matrixTables(matrix),
          CHECKPOINTS,
          costsTable(matrix),
          ...ABSOLUTE.map((figure) => absoluteTable(matrix, figure)),
          ...growthOfMatrix(matrix),
        ]),
    ...(starts === undefined ? [] : [firstAnswersTable(starts)]),
    ...(onePipe === undefined ? [] : [onePipeTable(onePipe)]),
    ...(starts === undefined && methods === undefined ? [] : [startsTable({ starts, methods })]),
    ...(allocations === undefined ? [] : [allocationsTable(allocations)]),
    ...(outputs === undefined ? [] : [outputsLine(outputs)]),
    ...(bytes === undefined ? [] : [bytesTable(bytes), requestsTable(bytes)]),
    ...(networks === undefined ? [] : [networksTable(networks)]),
    ...(growth === undefined ? [] : [growthTable(growth)]),
  ];
  return `${sections.join("\n\n")}\n`;
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const CHECKPOINTS =
  `With more than ${LARGEST_CHECKPOINTED} pipes the engine writes its state once, at the end of a run ` +
  "(`PULUMI_SKIP_CHECKPOINTS`), for all alike.";

const COMPARED = [
  ["ours", "floor"],
  ["ours", "stateful"],
  ["stateful", "floor"],
  ["native", "floor"],
  ["native", "ours"],
  ["usual", "floor"],
] as const;

const matrixTables = (cells: readonly Cell[]): string[] =>
  COMPARED.map(([name, base]) => {
    const rows = cells.map((cell) => [
      cell.operation,
      cell.pipes,
      ...(Object.keys(MEASURES) as Measure[]).map((measure) => shown(ratioOf(cell, measure, name, base))),
    ]);
    const title = `**${titleOf(name)}, as a multiple of: ${titleOf(base)}**`;
    return `${title}\n\n${table(["operation", "pipes", ...Object.keys(MEASURES)], rows)}`;
  });

/** The data of the chart, and of the operations that it leaves out. */
function costsTable(cells: readonly Cell[]): string {
  const rows = costsOf(cells).map(({ operation, pipes, cpuSeconds }) => [
    operation,
    pipes,
    ...VARIANTS.map((name) => shown(cpuSeconds[name])),
  ]);
  const head = ["operation", "pipes", ...VARIANTS.map(titleOf)];
  return `**Seconds of CPU, program and plugin together**\n\n${table(head, rows)}`;
}

interface Figure {
  readonly title: string;
  readonly measure: Measure;
  /** How many units of the measure are one of the table. */
  readonly per: number;
  readonly digits: number;
}

/** What people compare beside multiples. */
const ABSOLUTE: readonly Figure[] = [
  {
    title: "Seconds of CPU of all processes: Pulumi, program and plugin",
    measure: "all CPU",
    per: 1000,
    digits: 2,
  },
  { title: "Wall time, seconds", measure: "wall", per: 1000, digits: 2 },
  { title: "Peak memory of the plugin, MB", measure: "plugin memory", per: 1, digits: 0 },
];

function absoluteTable(cells: readonly Cell[], { title, measure, per, digits }: Figure): string {
  const figure = (cell: Cell, name: VariantName): string => {
    const values = valuesOf(cell, name, measure).map((value) => value && value / per);
    return shown(spreadOf(values), digits);
  };
  const rows = cells.map((cell) => [
    cell.operation,
    cell.pipes,
    ...VARIANTS.map((name) => figure(cell, name)),
  ]);
  return `**${title}**\n\n${table(["operation", "pipes", ...VARIANTS.map(titleOf)], rows)}`;
}

/** Growth needs at least two sizes. */
function growthOfMatrix(cells: readonly Cell[]): string[] {
  const columns = (["program", "plugin"] as const).flatMap((role) =>
    VARIANTS.map((name) => [role, name] as const),
  );
  const rows = marginalCosts(cells).map(({ operation, from, to, cpuMs }) => [
    operation,
    `${from} to ${to}`,
    ...columns.map(([role, name]) => cpuMs[role][name]?.toFixed(1) ?? "–"),
  ]);
  if (rows.length === 0) return [];
  const head = ["operation", "pipes", ...columns.map(([role, name]) => `${role}, ${titleOf(name)}`)];
  return [
    "**What one more pipe costs, ms of CPU**",
    table(head, rows),
    "Where the cost is linear it is the same at every size.",
  ];
}

function firstAnswersTable({ firstAnswerMs }: Starts): string {
  const row = ["ms", ...VARIANTS.map((name) => shown(firstAnswerMs[name], 0))];
  const title = "**From the start of the plugin process to its first answer for a pipe**";
  return `${title}\n\n${table(["", ...VARIANTS.map(titleOf)], [row])}`;
}

function startsTable({ starts, methods }: Pick<Results, "starts" | "methods">): string {
  const rows: Row[] = [
    ...(starts === undefined
      ? []
      : [
          ["import of the package, over `@pulumi/pulumi`, ms of CPU", shown(starts.programMs, 1), "≤ 30"],
          ["handler in the plugin, over `@pulumi/pulumi`, ms of CPU", shown(starts.pluginMs, 1), "≤ 150"],
          ["the same with the client that sends requests", shown(starts.clientMs, 1), "≤ 150"],
          ["type-check of a program, × bare custom resources", shown(starts.typeCheck), "≤ 1.10"],
        ]),
    ...(methods === undefined
      ? []
      : [
          ["check of a full pipe, ms of CPU", shown(methods.check, 3), "≤ 0.3"],
          ["diff of a full pipe, ms of CPU", shown(methods.diff, 3), "≤ 0.3"],
          ["check, mean of the first 200 of a process", shown(methods.coldCheck, 3), ""],
          ["diff, mean of the first 200 of a process", shown(methods.coldDiff, 3), ""],
        ]),
  ];
  return `**Starts and methods**\n\n${table(["what", "figure", "to reach"], rows)}`;
}

function allocationsTable(allocations: Allocations): string {
  const rows = UNCHANGED_CALLS.map((call) => {
    const { bytes, cpuMs } = allocations[call];
    return [call, shown(bytes, 0), shown(cpuMs, 3)];
  });
  const title = "**What this package needs for one call about an unchanged pipe, without the SDK and gRPC**";
  return `${title}\n\n${table(["call", "bytes", "ms of CPU"], rows)}`;
}

const outputsLine = ({ cpuUs, promises }: Outputs): string =>
  `**One output of a pipe** costs the program ${shown(cpuUs, 0)} µs of CPU in a preview of 200 pipes, and ${promises} promises.`;

function onePipeTable(onePipe: OnePipe): string {
  const names = Object.keys(FORMS) as (keyof OnePipe)[];
  const rows = names.map((name) => {
    const { all, program, plugin } = onePipe[name];
    return [FORMS[name].title, ...[all, program, plugin].map((spread) => shown(spread, 0))];
  });
  const head = ["program", "all processes", "program", "plugin"];
  return `**A preview of one unchanged pipe, ms of CPU**\n\n${table(head, rows)}`;
}

function bytesTable(bytes: ByVariant<Bytes>): string {
  const calls = Object.keys(bytes.ours.perCall);
  const rows: Row[] = [
    ["`__provider`", ...VARIANTS.map((name) => bytes[name].provider)],
    ["state per pipe", ...VARIANTS.map((name) => bytes[name].statePerPipe)],
    ...calls.map((call) => [
      `gRPC, one ${call}`,
      ...VARIANTS.map((name) => bytes[name].perCall[call] ?? "–"),
    ]),
  ];
  return `**Bytes**\n\n${table(["what", ...VARIANTS.map(titleOf)], rows)}`;
}

function requestsTable(bytes: ByVariant<Bytes>): string {
  const text = (counts: Readonly<Record<string, number>> = {}): string =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ") || "none";
  const senders = VARIANTS.filter((name) =>
    Object.values(bytes[name].requests).some((counts) => text(counts) !== "none"),
  );
  const rows = Object.keys(bytes.ours.requests).map((operation) => [
    operation,
    ...senders.map((name) => text(bytes[name].requests[operation])),
  ]);
  const title = `**Requests of ${COUNTED.pipes} pipes in ${COUNTED.services} services**`;
  return `${title}\n\n${table(["operation", ...senders.map(titleOf)], rows)}`;
}

function networksTable({ creates, limitedRefresh }: Networks): string {
  const rows = creates.map((run) => [
    run.rateLimit,
    run.parallel ?? "default",
    run.callsAtOnce,
    run.atOnce,
    run.ownMs.toFixed(1),
    run.seconds.toFixed(1),
    run.leastSeconds.toFixed(1),
    run.startsPerTenSeconds.join(" "),
  ]);
  const head = [
    "rate limit",
    "`--parallel`",
    "creates under way",
    "requests under way",
    "a create beside its request, ms",
    "seconds",
    "at least",
    "starts per 10 s",
  ];
  const { pipes, requests, wall } = limitedRefresh;
  return (
    `**${creates[0]?.creates ?? 0} creates with 200 ms for every answer**\n\n${table(head, rows)}\n\n` +
    `Refresh of ${pipes} pipes under the default limit: ${requests} request, ${shown(wall)} × the time without a limit.`
  );
}

/** What the table of growth shows, for each variant. */
const GROWTH_ROWS: readonly (readonly [string, (growth: Growth) => string | number])[] = [
  ["list requests", ({ requests }) => requests],
  ["lists parsed", ({ parses }) => parses],
  ["length of the list, MB", ({ listMb }) => listMb.toFixed(1)],
  ["wall time, × without the others", ({ wall }) => wall.toFixed(2)],
  ["peak memory of the plugin without the others, MB", ({ pluginMb }) => pluginMb.before?.toFixed(0) ?? "–"],
  ["peak memory of the plugin, MB", ({ pluginMb }) => pluginMb.after?.toFixed(0) ?? "–"],
];

function growthTable(growth: Partial<ByVariant<Growth>>): string {
  const measured = VARIANTS.flatMap((name) => {
    const one = growth[name];
    return one === undefined ? [] : [{ name, one }];
  });
  const rows = GROWTH_ROWS.map(([what, figure]) => [what, ...measured.map(({ one }) => figure(one))]);
  const { managed, listed } = measured[0]?.one ?? { managed: 0, listed: 0 };
  const head = ["what", ...measured.map(({ name }) => titleOf(name))];
  return `**Refresh of ${managed} pipes in a service of ${listed}**\n\n${table(head, rows)}`;
}
