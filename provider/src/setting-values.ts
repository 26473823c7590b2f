import type { RateLimit } from "./config";
import { OPERATION_PATH } from "./setting-defects";

// Each of these returns undefined for a malformed text.

export const wholeNumber =
  (least: number) =>
  (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined;

export function parseBoolean(text: string): boolean | undefined {
  return text === "true" || text === "false" ? text === "true" : undefined;
}

export function parseRateLimit(text: string): RateLimit | "off" | undefined {
  if (text === "off") return "off";
  const [, requests, seconds] = /^(\d{1,6})\/(\d{1,6})s$/.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(seconds) };
  return limit.requests > 0 && limit.seconds > 0 ? limit : undefined;
}

export function parseBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const http = url.protocol === "https:" || url.protocol === "http:";
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (OPERATION_PATH.test(url.pathname)) return undefined;
  // The paths of all operations begin with /v1.
  return http && plain ? `${url.origin}${url.pathname}`.replace(/(\/+v1)?\/*$/, "") : undefined;
}
