import { upperFirst } from "es-toolkit/string";
import { isMap, type PropertyMap } from "../../lifecycle/property-value";
import { SOURCE_KINDS } from "../../resources/pipe/source-schema";
import { identifierOf } from "./names";

/** The field of a source that names its hosts. Those of Kinesis streams are the regions'. */
const HOST_FIELDS = { kafka: "brokers", objectStorage: "url", kinesis: "region", postgres: "host" } as const;

/** The kind of source that the arguments of a pipe declare. */
export const kindOf = ({ source }: PropertyMap): string | undefined =>
  SOURCE_KINDS.find((kind) => isMap(source) && source[kind] !== undefined);

/** The hosts that a pipe reads from, without ports. */
export function hostsOf({ source }: PropertyMap): readonly string[] {
  return Object.entries(HOST_FIELDS).flatMap(([kind, field]) => {
    const fields = isMap(source) ? source[kind] : undefined;
    const text = isMap(fields) ? fields[field] : undefined;
    const texts = typeof text === "string" ? text.split(/[\s,]+/) : [];
    return texts.map(hostOf).filter((host) => host !== "");
  });
}

const hostOf = (address: string): string =>
  (address.replace(/^[\w+.-]*:\/\//, "").split(/[/?#]/, 1)[0] ?? "")
    .replace(/^.*@/, "")
    .replace(/:\d*$/, "")
    .toLowerCase();

/** A label of a host that only counts, such as that of a broker, and a number of an address. */
const COUNTING = /^(?:[a-z]{0,6}-?\d+|[a-z])$/;

/** What a source may be called, the best name first: by its kind if it is the only one, else also by its first host. */
export function namesOfSource(
  kind: string,
  [host = ""]: readonly string[],
  isOnly: boolean,
): readonly [string, ...string[]] {
  const labels = host.split(".").filter((label) => label !== kind && !COUNTING.test(label));
  const names = [1, 2].flatMap((length) => identifierOf(labels.slice(0, length).join(" ")) ?? []);
  const [first, ...others] = names.map((name) => `${kind}${upperFirst(name)}`);
  return isOnly || first === undefined ? [kind] : [first, ...others, kind];
}
