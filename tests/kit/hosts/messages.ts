/** What a run of the CLI gives to a host: the environment and the folder that a host of its own would have. */
export interface HostMessage {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** What the keeper says to the hosts of a run that has ended. */
export const END_OF_RUN = "end of run";

/** What a host says when it can serve a run: after its start, and after a run. */
export const FREE = "free";
