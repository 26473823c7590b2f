import { PartialFailure } from "../../../provider/src/core/lifecycle";
import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { minimal } from "../../../testkit/pipes";
import { online, up } from "../resources/online";

const NO_PIPES = { status: 200, requestId: "r", result: [] };
/** The look before the create, and all that follow the first request. */
const LOOKS = 7;

test("a create that made two pipes leaves one of them in the stack, and names the other", async () => {
  const run = await online(pipeDefinition);
  const { control } = run.simulator;
  control.fault({ operationId: "createPipe", kind: "reset-after" });
  control.fault({ operationId: "listPipes", kind: "status", status: 200, body: NO_PIPES, times: LOOKS });
  const failure = await up(run, { name: "orders", ...minimal.kafka }).catch((error: unknown) => error);
  const [lost = "", made = ""] = control.state().pipes.map(({ id }) => id);
  if (!(failure instanceof PartialFailure)) throw new Error(String(failure));
  expect(failure.message).toContain(`Now another one of the name is there too: ${lost}.`);
  expect(failure.message).toContain(`The pipe in the stack is ${made}.`);
  expect(failure.id).toBe(made);
  expect(failure.properties).toMatchObject({ name: "orders", ...minimal.kafka, observed: {} });
});
