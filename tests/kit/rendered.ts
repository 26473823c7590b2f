import { render } from "../../provider/src/messages/next-steps";
import { PartialFailure } from "../../provider/src/lifecycle/partial-failure";

export async function rendered<T>(work: Promise<T>, inStack?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const shown = error instanceof PartialFailure ? error.cause : error;
    throw error instanceof Error ? Object.assign(error, { message: render(shown, { inStack }) }) : error;
  }
}
