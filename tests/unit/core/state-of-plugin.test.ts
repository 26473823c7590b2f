import { SOURCE, testProvider } from "./test-provider";

/** What the state has of a resource that the native plugin has created or updated: no `__provider`. */
const olds = { name: "a", place: { room: "x" } };
const same = { ...olds, __provider: SOURCE };

test("a resource of the native plugin is updated, so that its outputs get the handler", async () => {
  const { provider } = testProvider();
  expect(await provider.diff("1", olds, same)).toStrictEqual({ changes: true });
  expect(await provider.diff("1", same, same)).toStrictEqual({ changes: false });
});

test("a replacement of a resource of the native plugin is refused when the engine asks again after the diff", async () => {
  const { provider } = testProvider();
  const moved = { ...same, place: { room: "y" } };
  const { inputs } = await provider.check(olds, moved);
  await provider.diff("1", olds, inputs ?? {});
  expect((await provider.check({}, moved)).failures).toEqual([
    { property: "", reason: expect.stringMatching(/^place\.room cannot be changed in place/) as string },
  ]);
});
