import { groupBy, sortBy } from "es-toolkit/array";
import { upperFirst } from "es-toolkit/string";
import { isMap, valueAt, type PropertyMap, type PropertyValue } from "../../lifecycle/property-value";
import { hostsOf, kindOf, namesOfSource } from "./hosts";
import { identifierOf, wordsOf, type UniqueNames } from "./names";
import type { ImportedPipe } from "./resources";
import { getOrAdd } from "../../values/get-or-add";

/** A value that several pipes have. */
export interface Constant {
  readonly name: string;
  readonly value: PropertyValue;
  /** Where pipes have it. */
  readonly path: readonly string[];
  /** The ids of the pipes. */
  readonly users: ReadonlySet<string>;
}

/** The blocks that become constants, and what their names end with. Constants of sources are named after these, others after tables. */
const BLOCKS: Readonly<Record<string, string>> = {
  settings: "Settings",
  scaling: "Scaling",
  fieldMappings: "Mappings",
  "destination.columns": "Columns",
  "destination.tableDefinition": "TableDefinition",
  "source.kafka.brokers": "Brokers",
  "source.kafka.reversePrivateEndpointIds": "EndpointIds",
  "source.kafka.caCertificate": "CaCertificate",
  "source.kafka.schemaRegistry": "SchemaRegistry",
  "source.kafka.schemaRegistry.caCertificate": "CaCertificate",
  "source.postgres.settings": "Settings",
  "source.postgres.tableMappings": "TableMappings",
};

/** Any other text that long is a constant, too. */
const MIN_TEXT_LENGTH = 100;

/** What the constant of a value is called behind what distinguishes it; undefined for a value that becomes none. */
const nounOf = (path: readonly string[], value: PropertyValue): string | undefined =>
  BLOCKS[path.join(".")] ??
  (typeof value === "string" && value.length >= MIN_TEXT_LENGTH ? upperFirst(path.at(-1) ?? "") : undefined);

const keyOf = (noun: string, value: PropertyValue): string => `${noun} ${JSON.stringify(value)}`;

/** The constants of a program, by the values that they replace. */
export class Constants {
  readonly #byKey: ReadonlyMap<string, Constant>;

  constructor(pipes: readonly ImportedPipe[], variables: UniqueNames) {
    const blocks = new Map<string, Block>();
    for (const pipe of pipes) collect(pipe, pipe.args, [], blocks);
    const shared = [...blocks].filter(([, { users }]) => users.size > 1);
    const byNoun = groupBy(
      shared.map(([, block]) => block),
      ({ noun }) => noun,
    );
    this.#byKey = new Map(
      shared.map(([key, block]) => {
        const { noun, value, path, users } = block;
        const [first, ...others] = namesOf(block, byNoun[noun] ?? []);
        const name = variables.take(first, ...others);
        return [key, { name, value, path, users: new Set([...users].map(({ id }) => id)) }];
      }),
    );
  }

  /** A constant stands behind those that are parts of its value. */
  get all(): readonly Constant[] {
    return sortBy([...this.#byKey.values()], [({ path }) => -path.length, ({ path }) => path.join(".")]);
  }

  /** The constant with the value of a field, if several pipes have it. */
  at(path: readonly string[], value: PropertyValue): Constant | undefined {
    const noun = nounOf(path, value);
    return noun === undefined ? undefined : this.#byKey.get(keyOf(noun, value));
  }
}

interface Block {
  readonly noun: string;
  readonly path: readonly string[];
  readonly value: PropertyValue;
  readonly users: Set<ImportedPipe>;
}

function collect(
  pipe: ImportedPipe,
  map: PropertyMap,
  parent: readonly string[],
  blocks: Map<string, Block>,
): void {
  for (const [field, value] of Object.entries(map)) {
    const path = [...parent, field];
    const noun = nounOf(path, value);
    if (noun !== undefined) {
      getOrAdd(blocks, keyOf(noun, value), (): Block => ({ noun, path, value, users: new Set() })).users.add(
        pipe,
      );
    }
    if (isMap(value)) collect(pipe, value, path, blocks);
  }
}

/** Names for a constant, the best one first: what its pipes have in common, and what it is. `alike` are all constants of its noun. */
function namesOf(block: Block, alike: readonly Block[]): readonly [string, ...string[]] {
  const { noun, value, path } = block;
  const users = [...block.users];
  const kind = kindOfAll(block);
  const isOnly = alike.filter((each) => kindOfAll(each) === kind).length === 1;
  const ofKinds = joined(users.map(({ args }) => kindOf(args) ?? ""));
  const ofNames = commonWords(users.map(({ name }) => name));
  const isUsual = alike.every((each) => each.users.size <= users.length);
  const named = (...starts: readonly string[]): readonly [string, ...string[]] => {
    const [first = isUsual ? "default" : "shared", ...others] = starts;
    return [`${first}${noun}`, ...others.map((start) => `${start}${noun}`)];
  };
  if (noun === "Scaling") {
    if (isUsual) return named("default");
    const [first, ...others] = named(...ofNames, ...ofKinds);
    return [replicas(isMap(value) ? value["replicas"] : undefined) ?? first, first, ...others];
  }
  if (noun === "Brokers" && kind !== undefined)
    return named(...namesOfSource(kind, hostsOf(users[0]?.args ?? {}), isOnly));
  if (path[0] === "source" || noun === "Settings") return named(...(isOnly ? [] : ofNames), ...ofKinds);
  const tables = users.map(({ args }) => textAt(args, ["destination", "table"]));
  const ofTables = [...commonWords(tables), ...joined(tables.map((table) => wordsOf(table)[0] ?? ""))];
  return named(...ofTables, ...ofNames, ...ofKinds);
}

/** The words as one name, if they are at most two. */
function joined(all: readonly string[]): readonly string[] {
  const [first = "", second, ...others] = new Set(all);
  const name = identifierOf([first, ...(second === undefined ? [] : ["and", second])].join(" "));
  return name === undefined || others.length > 0 || all.includes("") ? [] : [name];
}

/** The kind of source of all pipes that use a block. */
function kindOfAll({ users }: Block): string | undefined {
  const [kind, ...others] = new Set([...users].map(({ args }) => kindOf(args)));
  return others.length === 0 ? kind : undefined;
}

const replicas = (value: PropertyValue): string | undefined =>
  Number.isSafeInteger(value) && Number(value) > 1 ? `scalingOf${Number(value)}Replicas` : undefined;

function textAt(args: PropertyMap, path: readonly string[]): string {
  const text = valueAt(args, path);
  return typeof text === "string" ? text : "";
}

/** The words with which all texts begin, or end, as one name. */
function commonWords(texts: readonly string[]): readonly string[] {
  const lists = texts.map(wordsOf);
  const start = commonStart(lists);
  const common = start.length > 0 ? start : commonStart(lists.map((list) => list.toReversed())).toReversed();
  const name = identifierOf(common.join(" "));
  return name === undefined ? [] : [name];
}

function commonStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  const length = first.findIndex((word, index) =>
    others.some((other) => other[index]?.toLowerCase() !== word.toLowerCase()),
  );
  return length === -1 ? first : first.slice(0, length);
}
