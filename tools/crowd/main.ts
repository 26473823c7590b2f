import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { run } from "../run";
import { cellsOf, chartOf, HEADINGS, pageOf, type Row } from "./report";
import { COUNTS, HEADERS, type CountName, type HeadersName } from "./servers";
import { meanOf, simulate, type Figures } from "./simulation";

const usage = `npm run crowd [-- --clients <numbers> | --write]

Simulates clients of one key that go up at the same time, with the provider's limiter and retries, and prints a row for each service.

  --clients <numbers>  how many clients, separated by commas; 1, 2, 5, 8, 20 and 200 by default
  --write              makes docs/crowd.md and docs/crowd.svg of the rows
`;

const PIPES = 15;
const CLIENTS = "1,2,5,8,20,200";
/** How many runs a row is the mean of: fewer of many clients, which differ less. */
const runsOf = (clients: number): number => (clients < 10 ? 8 : clients < 100 ? 4 : 2);
const docs = path.resolve(__dirname, "../../docs");

async function rowOf(service: Pick<Row, "count" | "headers" | "clients">): Promise<Row> {
  const runs: Figures[] = [];
  for (let seed = 1; seed <= runsOf(service.clients); seed += 1)
    runs.push(await simulate({ ...service, pipes: PIPES, seed }));
  return { ...service, ...meanOf(runs) };
}

async function main(args: readonly string[]): Promise<number> {
  const options = {
    clients: { type: "string", default: CLIENTS },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  } as const;
  const { clients, write, help } = parseArgs({ args: [...args], options }).values;
  const numbers = clients.split(",").map(Number);
  if (help || !numbers.every((number) => Number.isInteger(number) && number > 0)) {
    process.stdout.write(usage);
    return help ? 0 : 1;
  }
  process.stdout.write(`${HEADINGS.join(" | ")}\n`);
  const rows: Row[] = [];
  for (const count of Object.keys(COUNTS) as CountName[])
    for (const headers of Object.keys(HEADERS) as HeadersName[])
      for (const number of numbers) {
        const row = await rowOf({ count, headers, clients: number });
        rows.push(row);
        process.stdout.write(`${cellsOf(row).join(" | ")}\n`);
      }
  if (!write) return 0;
  const file = path.join(docs, "crowd.md");
  await writeFile(file, await format(pageOf(rows), { ...(await resolveConfig(file)), filepath: file }));
  await writeFile(path.join(docs, "crowd.svg"), chartOf(rows));
  return 0;
}

run(main);
