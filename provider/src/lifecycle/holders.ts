import type { StackView } from "./definition";
import { nameBeside } from "./resource-key";

/** An ID, and the resource that has it or adopts it. */
export interface Held {
  readonly type: string;
  readonly id: string;
  /** See `resourceKey`. */
  readonly key: string;
}

/**
 * Claims the ID that a resource adopts. Says why it cannot, if another resource of this process has it or adopts it.
 */
export function claimProblem(stack: StackView, { type, id, key }: Held): string | undefined {
  const holder = stack.claim(type, id, key);
  return holder === undefined ? undefined : managedTwice({ type, id, key }, holder);
}

/** Claims the ID that a resource of the stack has. Throws if another resource of this process adopts it. */
export function requireNoAdopter(stack: StackView, { type, id, key }: Held): void {
  const holder = stack.claim(type, id, key);
  if (holder === undefined) return;
  throw new Error(
    `resource ${nameBeside(key, holder)} has ID ${id}, which resource ${nameBeside(holder, key)} of this program adopts. ${ONE_OF_TWO}`,
  );
}

/** Throws if a resource of another provider instance adopts an ID in this run: only the state shows it. */
export async function requireNoOtherAdopter(stack: StackView, { type, id, key }: Held): Promise<void> {
  const holder = await stack.adopterElsewhere(type, id, key);
  if (holder !== undefined) throw new Error(`adopt ${managedTwice({ type, id, key }, holder)}`);
}

const ONE_OF_TWO = "Remove one of the two, or adopt another ID.";

const managedTwice = ({ id, key }: Held, holder: string): string =>
  `names ${id}, which resource ${nameBeside(holder, key)} of this program manages. ${ONE_OF_TWO}`;
