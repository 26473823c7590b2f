const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs `work` with a signal that Ctrl-C aborts. The process ends as the user asked, but only after `work` has ended
 * its children and cleaned up.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    received = signal;
    controller.abort(new Error(`interrupted by ${signal}`));
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    if (received !== undefined) process.kill(process.pid, received);
  }
}
