import { isNative } from "../program";
import type { Attachment } from "./keeper";
import type { HostMessage } from "./messages";

/** The environment variable with the URL of the keeper. Without it, each run of the CLI starts its own processes. */
export const keeperVariable = "DATAPIPES_TEST_HOSTS";

/** What the CLI says when the language host has not answered for ten seconds. It has done nothing yet. */
const UNANSWERED = "[pulumi-language-nodejs] did not begin responding to RPC connections";

/** Runs the CLI with hosts that stay, in the environment that lets it attach to them. The native plugin starts fast enough by itself. */
export async function withHosts<T extends { readonly output: string }>(
  keeper: string,
  { env, cwd }: HostMessage,
  run: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const body = JSON.stringify({ env, cwd });
  const { id, ports } = (await ask(keeper, { method: "POST", body })) as Attachment;
  try {
    const result = await run({
      ...env,
      PULUMI_DEBUG_LANGUAGES: `nodejs:${ports.program}`,
      ...(!isNative && { PULUMI_DEBUG_PROVIDERS: `pulumi-nodejs:${ports.plugin}` }),
    });
    if (!result.output.includes(UNANSWERED)) return result;
  } finally {
    await ask(`${keeper}/${id}`, { method: "DELETE", body: "{}" });
  }
  // The machine was busy.
  return withHosts(keeper, { env, cwd }, run);
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
