import type { AxiosError, AxiosInstance } from "axios";
import axiosRetry from "axios-retry";

/** Answers that say: not now. */
const BUSY = new Set([429, 502, 503, 504]);

/** Failures after which it is certain that the server saw nothing of the request. */
export const NEVER_ARRIVED: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** The longest pause that a server can ask for. */
const MAX_PAUSE_MS = 120_000;

/**
 * Repeats what is safe to repeat: a read after any passing failure; a write only where the server did not take it on,
 * because it was turned away by the rate limit or never arrived.
 */
export function addRetries(
  http: AxiosInstance,
  retries: number,
  inform: (line: string) => void,
  pause: (milliseconds: number) => void,
): void {
  axiosRetry(http, {
    retries,
    shouldResetTimeout: true,
    retryCondition: mayRepeat,
    retryDelay: (count, error) => {
      const asked = pauseAskedFor(error);
      if (asked !== undefined) pause(asked);
      return asked ?? backoff(count);
    },
    onRetry: (count, error, { method = "", url = "" }) => {
      const why =
        error.response === undefined ? (error.code ?? "no answer") : `status ${error.response.status}`;
      inform(`${method.toUpperCase()} ${url}: ${why}; trying again (${count} of ${retries})`);
    },
  });
}

function mayRepeat({ config, code = "", response }: AxiosError): boolean {
  const status = response?.status;
  if (config?.method?.toUpperCase() === "GET") return status === undefined || BUSY.has(status);
  return status === 429 || (status === undefined && NEVER_ARRIVED.has(code));
}

/** Doubles from try to try, with half of it by chance, so that many clients do not come back together. */
const backoff = (count: number): number => {
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - 1));
  return delay / 2 + (Math.random() * delay) / 2;
};

/** How long the server asks to be left alone, in milliseconds. */
export function pauseAskedFor({ response }: AxiosError): number | undefined {
  if (response?.status !== 429 && response?.status !== 503) return undefined;
  const headers = response.headers as Record<string, unknown>;
  const text = headers["retry-after"] ?? headers["x-ratelimit-reset"];
  if (typeof text !== "string") return undefined;
  const milliseconds = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(milliseconds) ? Math.min(MAX_PAUSE_MS, Math.max(0, milliseconds)) : undefined;
}
