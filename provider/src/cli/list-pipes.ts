import type { Client } from "../api/client";
import type { WireList } from "../api/wire";
import { DatapipesError } from "../messages/errors";
import type { ServiceScope } from "../settings/settings";

/** Lists the pipes of a service. Throws if it returns null, as some services do while they cannot read the list. */
export async function listPipes(client: Client, scope: ServiceScope): Promise<WireList> {
  const list = await client.listPipes(scope);
  if (list.isComplete || list.leftOut.length > 0) return list;
  const attempt = `list the pipes of service ${scope.serviceId}`;
  throw new DatapipesError(
    "server-error",
    `${attempt} failed: the server returned null in place of a list.`,
    { finding: "null-list" },
  );
}
