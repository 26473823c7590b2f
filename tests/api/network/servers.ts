import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

const servers: Server[] = [];

/** The host and port at which a server listens, until {@link stopServers}. */
export async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends all servers of a test, and the connections that are open. */
export async function stopServers(): Promise<void> {
  const closed = servers.splice(0).map((server) => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await Promise.all(closed);
}
