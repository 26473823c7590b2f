type End = () => Promise<unknown>;

const ends: End[] = [];

/** Remembers how something that was started ends. */
export const onEnd = (end: End): void => {
  ends.push(end);
};

/** Ends all simulators, stacks and servers that were started: the latest first. Jest does it after each file of tests. */
export async function endStarted(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
