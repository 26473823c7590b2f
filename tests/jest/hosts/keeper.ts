import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as http from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import {
  answerKeyRequest,
  END_OF_RUN,
  FREE,
  isKeyRequest,
  type HostAttachment,
  type HostMessage,
  type HostRole,
} from "../../kit/hosts";

interface Run {
  readonly servers: readonly Server[];
  readonly hosts: Promise<ChildProcess>[];
}

const SPARE_PLUGINS = 2;

/**
 * Keeps hosts for the runs of the CLI, and the key service of their stacks, for all workers of a test run. Each connection of the CLI
 * gets a host of its own, as it would start a process of its own. A run gives its hosts back at its end.
 */
export class HostKeeper {
  readonly #idle: Record<HostRole, ChildProcess[]> = { program: [], plugin: [] };
  readonly #runs = new Map<string, Run>();
  readonly #server = http.createServer((request, response) => {
    void this.#answer(request, response);
  });
  #count = 0;

  async start(): Promise<string> {
    this.#server.unref();
    return `http://127.0.0.1:${await portOf(this.#server)}`;
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      const body = await json(request);
      const id = request.url?.slice(1) ?? "";
      if (isKeyRequest(request)) answerKeyRequest(response);
      else if (request.method === "DELETE") response.end(JSON.stringify(this.#end(id)));
      else response.end(JSON.stringify(await this.#begin(body as HostMessage)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  async #begin(message: HostMessage): Promise<HostAttachment> {
    const first = { program: this.#take("program"), plugin: this.#take("plugin") };
    const hosts = Object.values(first);
    // The CLI waits ten seconds for a host, which may not be enough to start one.
    await Promise.all([...hosts, this.#provideSpares()]);
    const serve = (role: HostRole): Server => {
      const ready = [first[role]];
      return createServer({ pauseOnConnect: true }, (socket) => {
        const host = ready.pop() ?? this.#take(role);
        hosts.push(host);
        void host.then((one) => one.send(message, socket));
      }).unref();
    };
    const servers = { program: serve("program"), plugin: serve("plugin") };
    const id = String((this.#count += 1));
    this.#runs.set(id, { servers: Object.values(servers), hosts });
    return { id, ports: { program: await portOf(servers.program), plugin: await portOf(servers.plugin) } };
  }

  #end(id: string): object {
    const { servers = [], hosts = [] } = this.#runs.get(id) ?? {};
    this.#runs.delete(id);
    for (const server of servers) server.close();
    for (const host of new Set(hosts))
      void host.then((one) => {
        if (one.connected) one.send(END_OF_RUN);
      });
    return {};
  }

  /** For the further provider instances of a program. */
  async #provideSpares(): Promise<void> {
    const missing = Math.max(0, SPARE_PLUGINS - this.#idle.plugin.length);
    const started = await Promise.all(Array.from({ length: missing }, () => this.#start("plugin")));
    this.#idle.plugin.push(...started);
  }

  #take(role: HostRole): Promise<ChildProcess> {
    const idle = this.#idle[role].pop();
    return idle === undefined ? this.#start(role) : Promise.resolve(idle);
  }

  async #start(role: HostRole): Promise<ChildProcess> {
    const host = fork(path.join(__dirname, `${role}-host.ts`), [], {
      execArgv: ["--require", "ts-node/register/transpile-only"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    // It ends with this process, and does not keep it.
    host.unref();
    host.channel?.unref();
    const ended = once(host, "exit").then(() => {
      throw new Error(`The ${role} host ended before it could serve a run.`);
    });
    await Promise.race([once(host, "message"), ended]);
    // A host that has served a failed run does not say this, and ends.
    host.on("message", (message) => {
      if (message === FREE) this.#idle[role].push(host);
    });
    host.once("exit", () => {
      this.#idle[role] = this.#idle[role].filter((idle) => idle !== host);
    });
    return host;
  }
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
