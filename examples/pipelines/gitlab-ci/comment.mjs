/**
 * Writes a file as the comment of the merge request of this pipeline: the first time a new comment, then always the same one.
 *
 *     node comment.mjs comment.md
 *
 * GITLAB_COMMENT_TOKEN is a project access token with the scope `api`: the token of the job may not write comments.
 */
import { readFile } from "node:fs/promises";

const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, CI_COMMIT_SHORT_SHA, CI_PIPELINE_URL } =
  process.env;
const { GITLAB_COMMENT_TOKEN = "", PULUMI_STACK } = process.env;
const [file = "comment.md"] = process.argv.slice(2);

const marker = `<!-- pulumi preview of ${PULUMI_STACK} -->`;
const notes = `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;

/** @type {(method: string, url: string, body?: object) => Promise<unknown>} */
async function send(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { "PRIVATE-TOKEN": GITLAB_COMMENT_TOKEN, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  }).catch((error) => {
    throw new Error(`${method} of the comment failed: ${error.cause?.message ?? error.message}`);
  });
  if (!response.ok) throw new Error(`${method} of the comment failed: HTTP ${response.status}`);
  return response.json();
}

/** @typedef {{ id: number, author: { id: number }, body: string }} Note */

/** The comment of an earlier pipeline, by the same user. */
async function ownNote() {
  const user = /** @type {{ id: number }} */ (await send("GET", `${CI_API_V4_URL}/user`));
  for (let page = 1; ; page += 1) {
    const found = /** @type {Note[]} */ (await send("GET", `${notes}?per_page=100&page=${page}`));
    const own = found.find(({ author, body }) => author.id === user.id && body.startsWith(marker));
    if (own !== undefined || found.length < 100) return own;
  }
}

const text = await readFile(file, "utf8").catch(
  () => "### `pulumi preview`\n\n**It did not run.** A step before it failed.\n",
);
const body = `${marker}\n${text}\nCommit ${CI_COMMIT_SHORT_SHA}, [log](${CI_PIPELINE_URL})\n`;
const own = await ownNote();
await send(own === undefined ? "POST" : "PUT", own === undefined ? notes : `${notes}/${own.id}`, { body });
