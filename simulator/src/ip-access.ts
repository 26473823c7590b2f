import { isIPv4, isIPv6 } from "node:net";

/** An entry of a service's IP access list. */
export interface IpAccessEntry {
  source?: string;
  description?: string;
}

function withPrefix(source: string): string {
  if (isIPv4(source)) return `${source}/32`;
  return isIPv6(source) ? `${source}/128` : source;
}

/** An entry as services store it that keep networks alone: with a prefix length, its description trimmed. */
export function asNetwork({ source, description, ...rest }: IpAccessEntry): IpAccessEntry {
  return {
    ...rest,
    ...(source === undefined ? {} : { source: withPrefix(source.trim()) }),
    ...(description === undefined ? {} : { description: description.trim() }),
  };
}
