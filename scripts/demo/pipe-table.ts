import type { Pipe, Simulator } from "../../simulator/src/index";

/** As many as fit in a terminal of 80 columns. */
const headings = ["name", "id", "state", "table"];

/** The pipes that exist, as listPipes returns them. */
export async function listPipes({ url, account }: Simulator): Promise<Pipe[]> {
  const { apiKeyId, apiKeySecret, organizationId, serviceIds } = account;
  const credential = Buffer.from(`${apiKeyId}:${apiKeySecret}`).toString("base64");
  const path = `/v1/organizations/${organizationId}/services/${serviceIds[0] ?? ""}/pipes`;
  const response = await fetch(url + path, { headers: { authorization: `Basic ${credential}` } });
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}`);
  const { result } = (await response.json()) as { result: Pipe[] };
  return result;
}

/** The pipes as text: a line each, below their headings. */
export function pipeTable(pipes: readonly Pipe[]): string {
  const rows = pipes.map(({ name, id, state, destination }) => [
    name,
    id,
    state,
    [destination.database, destination.table].filter((part) => part !== undefined).join("."),
  ]);
  const table = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [lines[0], rule, ...lines.slice(1)].map((line) => `  ${(line ?? "").trimEnd()}`).join("\n");
}
