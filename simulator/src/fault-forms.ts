import type { FaultKind } from "./fault";

/** A field of a kind of faults, as a form shows it. */
export interface FaultField {
  name: string;
  label: string;
  type: "number" | "text" | "checkbox" | "pipes";
  /** What the form begins with. */
  value?: number | string | boolean;
}

/** A kind of faults: what happens, and what one can choose. */
export interface FaultForm {
  summary: string;
  fields: readonly FaultField[];
}

const processed: FaultField = {
  name: "processed",
  label: "Process the request before",
  type: "checkbox",
  value: false,
};
const status = (value: number): FaultField => ({ name: "status", label: "Status", type: "number", value });
const ms: FaultField = { name: "ms", label: "Milliseconds", type: "number", value: 1000 };

/** Every kind of faults, the usual ones first. */
export const FAULT_FORMS: Readonly<Record<FaultKind["kind"], FaultForm>> = {
  status: { summary: "answers with this status", fields: [status(500), processed] },
  "reset-after": { summary: "processes the request, then resets the connection", fields: [] },
  "reset-before": { summary: "resets the connection; does not process the request", fields: [] },
  "rate-limit": {
    summary: "answers 429; does not process the request",
    fields: [{ name: "resetSeconds", label: "Seconds until the next request", type: "number", value: 1 }],
  },
  slow: { summary: "waits, then answers as usual", fields: [ms] },
  "slow-body": { summary: "sends the body of the answer in small parts", fields: [ms] },
  hang: { summary: "never answers; does not process the request", fields: [] },
  html: { summary: "answers with an HTML page, as a gateway does", fields: [status(504), processed] },
  "bad-json": { summary: "answers 200 with JSON that ends in the middle", fields: [processed] },
  "wrong-envelope": {
    summary: "answers HTTP 200 around an envelope with this status",
    fields: [status(500), processed],
  },
  "wrong-content-type": {
    summary: "answers as usual, with another content type",
    fields: [{ name: "contentType", label: "Content type", type: "text", value: "text/plain" }],
  },
  "incomplete-list": {
    summary: "listPipes leaves out these pipes",
    fields: [{ name: "pipeIds", label: "Pipes", type: "pipes" }],
  },
  redirect: {
    summary: "answers with a redirect",
    fields: [
      { name: "location", label: "Location", type: "text", value: "https://example.com/" },
      status(307),
      processed,
    ],
  },
  echo: {
    summary: "answers with a text that repeats the body",
    fields: [
      status(400),
      { name: "withAuthorization", label: "Repeat the credential, too", type: "checkbox", value: false },
      processed,
    ],
  },
};
