import { setTimeout as sleep } from "node:timers/promises";
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

test("a sleep of more days than a timer can hold does not end at once", async () => {
  const { clock, cancel } = newClock();
  const long = clock.sleep(1e13).then(() => "ended");
  expect(await Promise.race([long, sleep(20, "continues")])).toBe("continues");
  cancel();
  expect(await long).toBe("ended");
});
