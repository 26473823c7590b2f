import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onEnd } from "../../testkit/started";

/** A request that changes something. */
interface Write {
  readonly path: string;
  readonly body: unknown;
}

const STACK = "/api/stacks/your-organization/pipes/prod";

/** What the CLI needs of Pulumi Cloud to log in and to set up deployments. */
export class PulumiCloud {
  readonly writes: Write[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<PulumiCloud> {
    const server = createServer((request, response) => {
      void cloud.#answer(request).then((body) => {
        response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(body ?? { code: 404, message: "Not Found" }));
      });
    });
    const cloud = new PulumiCloud(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onEnd(() => new Promise((resolve) => server.close(resolve)));
    return cloud;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const path = (request.url ?? "").replace(/\?.*/, "");
    const body = await text(request);
    if (request.method !== "GET") this.writes.push({ path, body: parsed(body) });
    if (path.startsWith(`${STACK}/deployments/`)) return this.#deployments(path);
    return ANSWERS[path];
  }

  /** What was written last, and of a schedule what the CLI shows. */
  #deployments(path: string): unknown {
    const { body } = this.writes.findLast((write) => write.path === path) ?? {};
    return path.endsWith("/settings") ? body : { ...(body as object), id: "schedule", kind: "drift" };
  }
}

/** A form or JSON. */
const parsed = (body: string): unknown =>
  body.startsWith("{") ? (JSON.parse(body) as unknown) : Object.fromEntries(new URLSearchParams(body));

const ANSWERS: Readonly<Record<string, unknown>> = {
  "/api/user": { githubLogin: "kim", organizations: [{ githubLogin: "your-organization" }] },
  "/api/oauth/token": { access_token: "demo-access-token", token_type: "token", expires_in: 7200 },
  "/api/capabilities": { capabilities: [] },
  [STACK]: { orgName: "your-organization", projectName: "pipes", stackName: "prod", tags: {}, version: 1 },
};
