/** Lists that state 0 for the scaling of a new pipe under the profile `zero-later`. */
const ZERO_LISTS = 2;

/** Pipes from createPipe, until enough lists have shown them. */
export class FreshPipes {
  private readonly listsToCome = new Map<string, number>();

  add(id: string): void {
    this.listsToCome.set(id, ZERO_LISTS);
  }

  /** Counts a list that shows this pipe; returns whether the pipe is still new in it. */
  takeList(id: string): boolean {
    const left = this.listsToCome.get(id) ?? 0;
    if (left > 1) this.listsToCome.set(id, left - 1);
    else this.listsToCome.delete(id);
    return left > 0;
  }

  clear(): void {
    this.listsToCome.clear();
  }
}
