type End = () => unknown;

const ends: End[] = [];

export const onEnd = (end: End): void => {
  ends.push(end);
};

/** Ends all simulators, stacks and servers that tests have started, the latest first. Jest calls it after each test file. */
export async function endStarted(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
