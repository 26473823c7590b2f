import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { runInThisContext } from "node:vm";

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

type Program = (
  github: unknown,
  context: unknown,
  require: (name: string) => unknown,
  process: unknown,
) => Promise<void>;

/** The comments of a pull request, in place of the API of GitHub. */
export class GitHubComments {
  /** The second one has the text of the bot, but is of another user. */
  readonly all: Comment[] = [
    { id: 1, user: { login: "kim" }, body: "What does this change?" },
    { id: 2, user: { login: "kim" }, body: "<!-- pulumi preview of dev -->\nnot the bot" },
  ];

  get ofBot(): readonly string[] {
    return this.all.filter(({ user }) => user.login === BOT).map(({ body }) => body);
  }

  /** Runs a program as `actions/github-script` does, in a folder. */
  async run(script: string, cwd: string, stack: string): Promise<void> {
    const source = `(async (github, context, require, process) => {${script}\n})`;
    const program = runInThisContext(source) as Program;
    await program(this.#github(), CONTEXT, requireIn(cwd), { env: { PULUMI_STACK: stack } });
  }

  #github(): unknown {
    const listComments = (): Comment[] => this.all;
    return {
      paginate: (list: () => Comment[]) => Promise.resolve(list()),
      rest: {
        issues: {
          listComments,
          createComment: ({ body }: { body: string }) => {
            this.all.push({ id: this.all.length + 1, user: { login: BOT }, body });
            return Promise.resolve();
          },
          updateComment: ({ comment_id: id, body }: { comment_id: number; body: string }) => {
            const comment = this.all.find((each) => each.id === id);
            if (comment?.user.login !== BOT) throw new Error(`the bot may not change the comment ${id}`);
            comment.body = body;
            return Promise.resolve();
          },
        },
      },
    };
  }
}

const BOT = "github-actions[bot]";

const CONTEXT = {
  serverUrl: "https://github.example.com",
  runId: 4711,
  repo: { owner: "your-organization", repo: "pipes" },
  issue: { number: 12 },
  payload: { pull_request: { head: { sha: "5f3c2a1d9e8b7a6c5d4e3f2a1b0c9d8e7f6a5b4c" } } },
};

/** `require`, where files are read in the folder of the job. */
function requireIn(cwd: string): (name: string) => unknown {
  const load = createRequire(path.join(cwd, "script.js"));
  const files = {
    readFile: (file: string, encoding: "utf8") => readFile(path.join(cwd, file), encoding),
  };
  return (name) => (name === "node:fs/promises" ? files : (load(name) as unknown));
}
