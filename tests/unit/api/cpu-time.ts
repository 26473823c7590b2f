/** CPU time, which the load of the machine does not change. The least of three runs: the collection of what other tests left counts, too. */
export function cpuMilliseconds(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...times);
}
