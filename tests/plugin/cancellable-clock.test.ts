import timers from "node:timers/promises";
import { cancellableClock } from "../../plugin/src/cancellable-clock";

function newClock() {
  const run = new AbortController();
  const clock = cancellableClock({ cancelled: run.signal, ended: new AbortController().signal });
  const cancel = (): void => {
    run.abort();
  };
  return { clock, cancel };
}

test("a cancellation does not end the sleep of work that must finish", async () => {
  const { clock, cancel } = newClock();
  cancel();
  await clock.finish(async () => {
    expect(clock.isCancelled()).toBe(false);
    await clock.sleep(1);
  });
  expect(clock.isCancelled()).toBe(true);
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
