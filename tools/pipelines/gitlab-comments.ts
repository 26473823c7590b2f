import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onEnd } from "../../testkit/started";
import type { Values } from "./commands";

interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

const OWN_USER = 7;
const TOKEN = "demo-comment-token";
const NOTES = "/api/v4/projects/3/merge_requests/12/notes";

/** The comments of a merge request, in place of the API of GitLab. */
export class GitLabComments {
  /** More than a page of comments of others. The first one has the text of the bot. */
  readonly #notes: Note[] = Array.from({ length: 100 }, (_, index) => ({
    id: index + 1,
    author: { id: 1 },
    body: index === 0 ? "<!-- pulumi preview of dev -->" : "a comment",
  }));

  private constructor(private readonly server: Server) {}

  static async start(): Promise<GitLabComments> {
    const server = createServer((request, response) => {
      void comments.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    });
    const comments = new GitLabComments(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onEnd(() => new Promise((resolve) => server.close(resolve)));
    return comments;
  }

  /** The variables that GitLab gives to the job `comment`. */
  get variables(): Values {
    const { port } = this.server.address() as AddressInfo;
    return {
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "12",
      CI_COMMIT_SHORT_SHA: "5f3c2a1d",
      CI_PIPELINE_URL: "https://gitlab.example.com/your-group/pipes/-/pipelines/4711",
      GITLAB_COMMENT_TOKEN: TOKEN,
    };
  }

  /** The comments of the token's user. */
  get ofBot(): readonly string[] {
    return this.#notes.filter(({ author }) => author.id === OWN_USER).map(({ body }) => body);
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    if (request.headers["private-token"] !== TOKEN) return { status: 401, body: {} };
    if (request.method === "GET") return this.#read(url);
    const { body } = (await json(request)) as { body: string };
    if (request.method === "POST" && url.pathname === NOTES) {
      this.#notes.push({ id: this.#notes.length + 1, author: { id: OWN_USER }, body });
      return { status: 201, body: {} };
    }
    const note = this.#notes.find(({ id }) => url.pathname === `${NOTES}/${id}`);
    if (request.method !== "PUT" || note?.author.id !== OWN_USER) return { status: 403, body: {} };
    note.body = body;
    return { status: 200, body: {} };
  }

  #read({ pathname, searchParams }: URL): { status: number; body: unknown } {
    if (pathname === "/api/v4/user") return { status: 200, body: { id: OWN_USER } };
    if (pathname !== NOTES) return { status: 404, body: {} };
    const size = Number(searchParams.get("per_page"));
    const first = (Number(searchParams.get("page")) - 1) * size;
    return { status: 200, body: this.#notes.slice(first, first + size) };
  }
}
