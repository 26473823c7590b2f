import { serviceEncryptionKeyDefinition } from "../../../provider/src/resources/service-encryption-key/definition";
import { deployedOnline, up } from "../../../testkit/online";
import { takeBodies } from "../../../testkit/simulator";

test("a key is sent when it is declared or changes, and a delete sends nothing", async () => {
  const key = (id: string) => ({ transparentDataEncryptionKeyId: id });
  const { run, before } = await deployedOnline(serviceEncryptionKeyDefinition, key("one"));
  takeBodies(run.simulator);
  const { id, outputs } = await up(run, key("two"), before);
  await run.lifecycle.delete(id, { ...outputs, deletionPolicy: "delete" });
  expect(takeBodies(run.simulator)).toEqual([key("two")]);
});
