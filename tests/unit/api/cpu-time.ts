/** CPU time, which the load of the machine does not change. */
export function cpuMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}
