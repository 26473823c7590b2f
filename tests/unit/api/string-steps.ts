type Method = (this: unknown, ...args: unknown[]) => unknown;

const prototype = String.prototype as unknown as Record<string, Method>;

const METHODS = Object.getOwnPropertyNames(String.prototype).filter(
  (name) => name !== "constructor" && typeof prototype[name] === "function",
);

/** How many methods of texts the work calls: what it does with texts, the same on every machine. */
export function stringSteps(work: () => unknown): number {
  let steps = 0;
  const originals = METHODS.map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals)
    prototype[name] = function (...args) {
      steps += 1;
      return original?.apply(this, args);
    };
  try {
    work();
    if (steps === 0) throw new Error("The work did nothing with texts.");
    return steps;
  } finally {
    for (const [name, original] of originals) if (original !== undefined) prototype[name] = original;
  }
}
