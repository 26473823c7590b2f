import { isIPv4, isIPv6 } from "node:net";

/** An address, or the network of all addresses that share its first bits. */
interface Network {
  /** The numbers of an address: four of 8 bits, or eight of 16. */
  readonly groups: readonly number[];
  readonly groupBits: 8 | 16;
  /** How many bits the addresses of the network share. */
  readonly prefix: number;
}

/**
 * The one form of an address or a network: `10.0.0.1/32` is `10.0.0.1`, `10.1.2.3/8` is `10.0.0.0/8`, `2001:DB8:0::1` is
 * `2001:db8::1`. Any other text, a host name or a word of the service, stays as it is but for space at its ends.
 */
export function normalizeAddress(source: string): string {
  const text = source.trim();
  const network = networkOf(text);
  return network === undefined ? text : format(network);
}

/** Whether two texts are addresses or networks of which one contains the other. */
export function overlap(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => networkOf(text.trim()));
  if (first === undefined || second?.groupBits !== first.groupBits) return false;
  const prefix = Math.min(first.prefix, second.prefix);
  return format({ ...first, prefix }) === format({ ...second, prefix });
}

export const isAddress = (source: string): boolean => networkOf(source.trim()) !== undefined;

const PREFIX = /^\d{1,3}$/;

function networkOf(text: string): Network | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const groups = groupsOf(address);
  if (groups === undefined || rest.length > 0) return undefined;
  const groupBits = groups.length === 4 ? 8 : 16;
  const width = groups.length * groupBits;
  if (length === undefined) return { groups, groupBits, prefix: width };
  if (!PREFIX.test(length) || Number(length) > width) return undefined;
  return { groups, groupBits, prefix: Number(length) };
}

function groupsOf(address: string): readonly number[] | undefined {
  if (isIPv4(address)) return address.split(".").map(Number);
  // A zone (`fe80::1%eth0`) means something on one machine alone.
  if (!isIPv6(address) || address.includes("%")) return undefined;
  // The URL parser writes all of it in hexadecimal, also an address that ends as `::ffff:10.0.0.1`.
  const [first = [], last = []] = compressed(address).split("::").map(hexadecimals);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const hexadecimals = (part: string): readonly number[] =>
  part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));

const compressed = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

function format({ groups, groupBits, prefix }: Network): string {
  const shared = groups.map((group, index) => {
    const hostBits = Math.min(Math.max(groupBits * (index + 1) - prefix, 0), groupBits);
    return (group >> hostBits) << hostBits;
  });
  const address =
    groupBits === 8 ? shared.join(".") : compressed(shared.map((group) => group.toString(16)).join(":"));
  return prefix === groups.length * groupBits ? address : `${address}/${prefix}`;
}
