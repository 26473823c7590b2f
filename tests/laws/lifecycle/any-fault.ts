import fc from "fast-check";
import type { Fault, FaultKind } from "../../../simulator/src/index";

type Operation = Fault["operationId"];

const BOTH = [true, false];

/** Answers that leave open whether the request took effect: so it may have. */
const uncertain: FaultKind[] = BOTH.flatMap((processed) => [
  ...[500, 502, 503, 504].map((status) => ({ kind: "status" as const, status, processed })),
  { kind: "bad-json", processed },
  { kind: "html", processed },
  { kind: "wrong-envelope", processed },
  { kind: processed ? "reset-after" : "reset-before" },
]);

/** Answers that say that the request took no effect. */
const refusals: FaultKind[] = [
  { kind: "redirect", location: "https://elsewhere.example/" },
  ...[400, 401, 403, 404, 405, 409, 424].map((status) => ({ kind: "status" as const, status })),
  ...BOTH.map((withAuthorization) => ({ kind: "echo" as const, withAuthorization })),
  ...BOTH.flatMap((headers) =>
    [0, 1, 300].map((resetSeconds) => ({ kind: "rate-limit" as const, headers, resetSeconds })),
  ),
];
const oddities: FaultKind[] = [
  { kind: "wrong-content-type" },
  { kind: "slow", ms: 2 },
  { kind: "slow-body", ms: 5 },
];

const kind = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...uncertain) },
  { weight: 2, arbitrary: fc.constantFrom(...refusals) },
  { weight: 1, arbitrary: fc.constantFrom(...oddities) },
);

/** Anything that can go wrong with requests of the operations, but for what takes real time. */
export const anyFault = (...operations: readonly Operation[]): fc.Arbitrary<Fault> =>
  fc
    .record({
      operationId: fc.constantFrom(...operations, "*" as const),
      times: fc.constantFrom(1, 1, 1, 1, 1, 2, 3, 9),
      after: fc.constantFrom(0, 0, 0, 0, 1, 2),
      kind,
    })
    .map(({ kind: what, ...target }) => ({ ...target, ...what }));

/** A service that does not delete. */
export const anyRefusedDeletion: fc.Arbitrary<Fault> = fc
  .constantFrom(403, 404, 405)
  .map((status) => ({ operationId: "deletePipe", kind: "status", status }));
