import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { startPlugin } from "./native-plugin";
import { intoTable, minimal } from "../kit/pipes";
import { callFailureOf, urnOf } from "../kit/plugin";
import { listReads, newSimulator, until, type Simulator } from "../kit/simulator";
import { onEnd } from "../kit/cleanup";

/** A simulator behind a gate, which holds creates while it is closed. */
async function behindGate(simulator: Simulator) {
  const forwards: (() => void)[] = [];
  let isOpen = true;
  const server = createServer((request, response) => {
    const { url = "", method, headers } = request;
    const forward = (): void => {
      const sent = httpRequest(`${simulator.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      request.pipe(sent);
    };
    if (method !== "POST" || isOpen) forward();
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
    close: () => {
      isOpen = false;
    },
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
  await until(() => simulator.control.state().pipes.length > 0);
  gate.close();
  // The plugin may not answer its engine, which has ended.
  plugin.deploy(intoTable("slow"), { of: urnOf("slow") }).catch(() => undefined);
  await until(() => gate.isHolding());
  plugin.engine.kill();
  return { plugin, waited, gate };
}

test("a plugin of a killed engine ends after its write, and asks for the state no more", async () => {
  const simulator = await newSimulator();
  const { plugin, waited, gate } = await killedAtWork(simulator);
  const ended = once(plugin.process, "exit");
  expect((await waited).message).toContain("the run was canceled");
  const polls = listReads(simulator).length;
  expect(plugin.process.exitCode).toBe(null);
  gate.open();
  await ended;
  expect(simulator.control.state().pipes).toHaveLength(2);
  expect(listReads(simulator)).toHaveLength(polls);
});

test("a plugin ends only when its own engine was killed", async () => {
  const simulator = await newSimulator();
  const [orphan, served, byHand] = await Promise.all([
    startPlugin(simulator),
    startPlugin(simulator),
    startPlugin(simulator, { byHand: true }),
  ]);
  // PULUMI_DEBUG_PROVIDERS attaches an engine, which goes away after its run.
  await byHand.attach("127.0.0.1:1");
  orphan.engine.kill();
  await once(orphan.process, "exit");
  expect(served.process).toMatchObject({ exitCode: null, signalCode: null });
  expect(byHand.process).toMatchObject({ exitCode: null, signalCode: null });
});
