import { cancellableClock } from "../../plugin/src/cancellable-clock";

function newClock() {
  const run = new AbortController();
  const clock = cancellableClock({ cancelled: run.signal, ended: new AbortController().signal });
  const cancel = (): void => {
    run.abort();
  };
  return { clock, cancel, onCancel: jest.fn() };
}

const noWork = () => Promise.resolve();

test("work that begins after a cancellation learns of it", async () => {
  const { clock, cancel, onCancel } = newClock();
  cancel();
  await clock.finish(noWork, onCancel);
  expect(onCancel).toHaveBeenCalledTimes(1);
});

test("work that ended before a cancellation does not learn of it", async () => {
  const { clock, cancel, onCancel } = newClock();
  await clock.finish(noWork, onCancel);
  cancel();
  expect(onCancel).not.toHaveBeenCalled();
});
