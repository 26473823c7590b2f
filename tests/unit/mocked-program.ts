import * as pulumi from "@pulumi/pulumi";

/** Lets a program register resources and call functions without an engine; both return what they were given. */
export const setMocks = (mocks: Partial<pulumi.runtime.Mocks> = {}, isPreview = false): Promise<void> =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name, id, inputs }) => ({
        id: id === undefined || id === "" ? `${name}-id` : id,
        state: inputs as Record<string, unknown>,
      }),
      call: () => ({}),
      ...mocks,
    },
    "project",
    "stack",
    isPreview,
  );

/** Starts another program, as the engine runs it: with a stack. */
export async function startProgram(): Promise<void> {
  await setMocks();
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve({}));
}

/** What becomes known later, or why it does not. */
export const later = <T>(input: pulumi.Input<T>): Promise<T> =>
  (pulumi.output(input) as unknown as { promise(): Promise<T> }).promise();
