import fc from "fast-check";
import type { Fault, FaultKind } from "../../../simulator/src/index";

type Operation = Fault["operationId"];

const flag = fc.boolean();

/** Answers that leave open whether the request took effect: so it may have. */
const uncertain: fc.Arbitrary<FaultKind> = fc.oneof(
  fc.constantFrom<FaultKind>({ kind: "reset-before" }, { kind: "reset-after" }),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(500, 502, 503, 504),
    processed: flag,
  }),
  fc.record({ kind: fc.constantFrom("bad-json" as const, "html" as const), processed: flag }),
  fc.record({ kind: fc.constant("wrong-envelope" as const), processed: flag }),
  fc.record({
    kind: fc.constant("redirect" as const),
    location: fc.constant("https://elsewhere.example/"),
    processed: flag,
  }),
);

/** Answers that say that the request took no effect. */
const refusal: fc.Arbitrary<FaultKind> = fc.oneof(
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(400, 401, 403, 404, 405, 409, 424),
  }),
  fc.record({ kind: fc.constant("echo" as const), withAuthorization: flag }),
  fc.record({
    kind: fc.constant("rate-limit" as const),
    headers: flag,
    resetSeconds: fc.constantFrom(0, 1, 300),
  }),
);

/** Answers that are only odd. */
const oddity: fc.Arbitrary<FaultKind> = fc.constantFrom<FaultKind>(
  { kind: "wrong-content-type" },
  { kind: "slow", ms: 2 },
  { kind: "slow-body", ms: 5 },
);

const kind = fc.oneof(
  { weight: 4, arbitrary: uncertain },
  { weight: 2, arbitrary: refusal },
  { weight: 1, arbitrary: oddity },
);

/** A service that does not delete. */
export const anyRefusedDeletion: fc.Arbitrary<Fault> = fc.record({
  operationId: fc.constant("deletePipe" as const),
  kind: fc.constant("status" as const),
  status: fc.constantFrom(403, 404, 405),
});

/** Anything that can go wrong with requests of the operations, but for what takes real time. */
export const anyFault = (...operations: readonly Operation[]): fc.Arbitrary<Fault> =>
  fc
    .record({
      operationId: fc.constantFrom(...operations, "*" as const),
      times: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.constantFrom(2, 3, 9)),
      after: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2)),
      kind,
    })
    .map(({ kind: what, ...target }) => ({ ...target, ...what }));
