import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onEnd } from "../../kit/cleanup";

/** The host and port at which a server listens, until its tests end. */
export async function listening(server: Server): Promise<string> {
  onEnd(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
