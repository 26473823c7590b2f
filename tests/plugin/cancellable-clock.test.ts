import timers from "node:timers/promises";
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

test("work that must finish learns of a cancellation", async () => {
  const { clock, cancel, onCancel } = newClock();
  const work = (): Promise<void> => {
    cancel();
    return noWork();
  };
  await clock.finish(work, onCancel);
  expect(onCancel).toHaveBeenCalledTimes(1);
});

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

test("a cancellation ends a sleep", async () => {
  const { clock, cancel } = newClock();
  const slept = clock.sleep(1_000_000);
  cancel();
  await expect(slept).resolves.toBeUndefined();
});

test("a sleep that is too long for a timer takes the longest time of a timer", async () => {
  const timer = jest.spyOn(timers, "setTimeout").mockResolvedValue(undefined);
  await newClock().clock.sleep(1e13);
  expect(timer.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([2 ** 31 - 1]);
});
