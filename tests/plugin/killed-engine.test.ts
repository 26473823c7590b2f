import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlugin } from "./native-plugin";
import { minimal } from "../kit/pipes";
import { callFailureOf, urnOf } from "../kit/plugin";
import { listReads, newSimulator, type Simulator } from "../kit/simulator";
import { onEnd } from "../kit/cleanup";

/** A simulator behind a gate, which holds its second create. */
async function behindGate(simulator: Simulator) {
  const forwards: (() => void)[] = [];
  let creates = 0;
  const server = createServer((request, response) => {
    const { url = "", method, headers } = request;
    const forward = (): void => {
      const sent = httpRequest(`${simulator.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      request.pipe(sent);
    };
    if (method === "POST") creates += 1;
    if (method !== "POST" || creates === 1) forward();
    else forwards.push(forward);
  });
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    simulator: { ...simulator, url: `http://127.0.0.1:${port}` },
    isHolding: () => forwards.length > 0,
    open: () => {
      for (const forward of forwards.splice(0)) forward();
    },
  };
}

/** Kills the engine of a plugin that waits for one pipe and creates another one, whose answer the gate holds. */
async function killedAtWork(simulator: Simulator) {
  const gate = await behindGate(simulator);
  const plugin = await startPlugin(gate.simulator);
  const waiting = { ...minimal.kafka, waitFor: { states: ["Nope"] } };
  const waited = callFailureOf(plugin.deploy(waiting, { of: urnOf("waiting") }));
  while (simulator.control.state().pipes.length === 0) await sleep(100);
  const created = plugin.deploy(minimal.kafka, { of: urnOf("slow") });
  while (!gate.isHolding()) await sleep(100);
  plugin.engine.kill();
  return { plugin, waited, created, gate };
}

test("the plugin ends when its engine was killed, after the write that it has sent", async () => {
  const [simulator, idle] = await Promise.all([newSimulator(), newSimulator()]);
  const [{ plugin, waited, created, gate }, orphan, served, byHand] = await Promise.all([
    killedAtWork(simulator),
    startPlugin(idle),
    startPlugin(idle),
    startPlugin(idle, { byHand: true }),
  ]);
  // PULUMI_DEBUG_PROVIDERS attaches an engine, which goes away after its run.
  await byHand.attach("127.0.0.1:1");
  orphan.engine.kill();
  const endings = [orphan, plugin].map(({ process }) => once(process, "exit"));

  expect((await waited).message).toContain("the run was canceled");
  const polls = listReads(simulator).length;
  // The plugin ends when the answer of the API is there, and may not answer the engine, which is gone.
  const isThere = (): boolean => simulator.control.state().pipes.some(({ name }) => name === "slow");
  expect(isThere()).toBe(false);
  expect(plugin.process.exitCode).toBe(null);
  gate.open();
  await Promise.allSettled([created, ...endings]);
  expect(isThere()).toBe(true);
  expect(listReads(simulator)).toHaveLength(polls);
  const codes = [served, byHand].map(({ process }) => [process.exitCode, process.signalCode]);
  expect(codes).toEqual([
    [null, null],
    [null, null],
  ]);
});
