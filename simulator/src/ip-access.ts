import { isIPv4, isIPv6 } from "node:net";
import type { IpAccessEntry } from "./models";

function withPrefix(source: string): string {
  if (isIPv4(source)) return `${source}/32`;
  return isIPv6(source) ? `${source}/128` : source;
}

/** An entry as services store it that keep only networks: with a prefix length, and a trimmed description. */
export function asNetwork({ source, description, ...rest }: IpAccessEntry): IpAccessEntry {
  return {
    ...rest,
    ...(source === undefined ? {} : { source: withPrefix(source.trim()) }),
    ...(description === undefined ? {} : { description: description.trim() }),
  };
}
