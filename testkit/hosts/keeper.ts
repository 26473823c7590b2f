import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as http from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import { answerKeyRequest, isKeyRequest } from "./key-service";
import { END_OF_RUN, FREE, type HostMessage } from "./messages";

type Role = "program" | "plugin";

export interface Attachment {
  readonly id: string;
  readonly ports: Readonly<Record<Role, number>>;
}

interface Run {
  readonly servers: readonly Server[];
  readonly hosts: ChildProcess[];
}

/**
 * Keeps hosts for the runs of the CLI, and the key service of their stacks, for all workers of a test run. Each connection of the CLI
 * gets a host of its own, as it would start a process of its own. A run gives its hosts back at its end.
 */
export class HostKeeper {
  readonly #idle: Record<Role, ChildProcess[]> = { program: [], plugin: [] };
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

  async #begin(message: HostMessage): Promise<Attachment> {
    const hosts: Run["hosts"] = [];
    const serve = (role: Role): Server =>
      createServer({ pauseOnConnect: true }, (socket) => {
        const host = this.#idle[role].pop() ?? this.#start(role);
        hosts.push(host);
        host.send(message, socket);
      }).unref();
    const servers = { program: serve("program"), plugin: serve("plugin") };
    const id = String((this.#count += 1));
    this.#runs.set(id, { servers: Object.values(servers), hosts });
    return { id, ports: { program: await portOf(servers.program), plugin: await portOf(servers.plugin) } };
  }

  #end(id: string): object {
    const { servers = [], hosts = [] } = this.#runs.get(id) ?? {};
    this.#runs.delete(id);
    for (const server of servers) server.close();
    for (const host of hosts) if (host.connected) host.send(END_OF_RUN);
    return {};
  }

  #start(role: Role): ChildProcess {
    const host = fork(path.join(__dirname, `${role}-host.ts`), [], {
      execArgv: ["--require", "ts-node/register/transpile-only"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    // It ends with this process, and does not keep it.
    host.unref();
    host.channel?.unref();
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
