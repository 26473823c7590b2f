import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { DEFAULT_ACCOUNT } from "../simulator/src/account";
import { onEnd } from "./started";

export interface AccessEntry {
  source: string;
  description?: string;
}

interface Update {
  ipAccessList?: { add?: AccessEntry[]; remove?: AccessEntry[] };
  privateEndpointIds?: { add?: string[]; remove?: string[] };
}

/** A service that stores entries in a spelling of its own, and removes only exact matches of it. */
export class RewritingService {
  readonly account = DEFAULT_ACCOUNT;
  spell: (entry: AccessEntry) => AccessEntry = (entry) => entry;
  spellId: (id: string) => string = (id) => id;
  ipAccessList: AccessEntry[] = [];
  privateEndpointIds: string[] = [];
  /** What it lists and never removes. */
  kept: string | undefined;
  /** Statuses of the next answers that are sent after the work is done, in place of 200. */
  lost: number[] = [];
  #bodies: Update[] = [];
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(([status, text]) => {
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    });
  });

  static async start(changes: Partial<RewritingService> = {}): Promise<RewritingService> {
    const service = Object.assign(new RewritingService(), changes);
    await once(service.#server.listen(0, "127.0.0.1"), "listening");
    onEnd(async () => {
      service.#server.closeAllConnections();
      await once(service.#server.close(), "close");
    });
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  takeBodies(): Update[] {
    return this.#bodies.splice(0);
  }

  async #answer(request: IncomingMessage): Promise<[status: number, text: string]> {
    const body = (await json(request)) as Update;
    this.#bodies.push(body);
    this.#update(body);
    const { ipAccessList, privateEndpointIds } = this;
    const status = this.lost.shift() ?? 200;
    const result = { id: this.account.serviceIds[0], name: "Shop", ipAccessList, privateEndpointIds };
    return [status, JSON.stringify({ status, requestId: "r", ...(status === 200 && { result }) })];
  }

  #update({ ipAccessList = {}, privateEndpointIds = {} }: Update): void {
    const isRemoved = (entry: AccessEntry): boolean =>
      entry.source !== this.kept &&
      (ipAccessList.remove ?? []).some(
        ({ source, description = "" }) =>
          source === entry.source && description === (entry.description ?? ""),
      );
    this.ipAccessList = this.ipAccessList.filter((entry) => !isRemoved(entry));
    for (const entry of (ipAccessList.add ?? []).map(this.spell))
      if (!this.ipAccessList.some((one) => JSON.stringify(one) === JSON.stringify(entry)))
        this.ipAccessList.push(entry);
    const { add = [], remove = [] } = privateEndpointIds;
    const left = this.privateEndpointIds.filter((id) => !remove.includes(id));
    this.privateEndpointIds = [...new Set([...left, ...add.map(this.spellId)])];
  }
}
