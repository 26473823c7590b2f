import { isIPv4, isIPv6 } from "node:net";

/** An address, or the network of all addresses that share its first bits. */
interface Network {
  readonly bits: bigint;
  /** How many bits an address of this kind has. */
  readonly width: 32 | 128;
  /** How many of them the addresses of the network share. */
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

/** Whether a text is an address or a network. */
export const isAddress = (source: string): boolean => networkOf(source.trim()) !== undefined;

const PREFIX = /^\d{1,3}$/;

function networkOf(text: string): Network | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const parsed = bitsOf(address);
  if (parsed === undefined || rest.length > 0) return undefined;
  const { bits, width } = parsed;
  if (length === undefined) return { bits, width, prefix: width };
  if (!PREFIX.test(length) || Number(length) > width) return undefined;
  const hostBits = BigInt(width - Number(length));
  return { bits: (bits >> hostBits) << hostBits, width, prefix: Number(length) };
}

function bitsOf(address: string): Pick<Network, "bits" | "width"> | undefined {
  if (isIPv4(address)) return { bits: joined(address.split(".").map(Number), 8n), width: 32 };
  // A zone (`fe80::1%eth0`) means something on one machine alone.
  if (!isIPv6(address) || address.includes("%")) return undefined;
  // The URL parser writes all of it in hexadecimal, also an address that ends as `::ffff:10.0.0.1`.
  const [first = [], last = []] = compressed(address).split("::").map(groupsOf);
  const zeros = Array<number>(8 - first.length - last.length).fill(0);
  return { bits: joined([...first, ...zeros, ...last], 16n), width: 128 };
}

const groupsOf = (part: string): readonly number[] =>
  part
    .split(":")
    .filter((group) => group !== "")
    .map((group) => Number.parseInt(group, 16));

const compressed = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

const joined = (parts: readonly number[], size: bigint): bigint =>
  parts.reduce((bits, part) => (bits << size) | BigInt(part), 0n);

/** The parts of so many bits each, the first one first. */
const split = (bits: bigint, width: number, size: number): readonly bigint[] =>
  Array.from(
    { length: width / size },
    (_, index) => (bits >> BigInt(width - size * (index + 1))) & ((1n << BigInt(size)) - 1n),
  );

function format({ bits, width, prefix }: Network): string {
  const address =
    width === 32
      ? split(bits, width, 8).join(".")
      : compressed(
          split(bits, width, 16)
            .map((group) => group.toString(16))
            .join(":"),
        );
  return prefix === width ? address : `${address}/${prefix}`;
}
