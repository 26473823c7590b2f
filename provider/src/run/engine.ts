import { createRequire } from "node:module";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as enginePb from "@pulumi/pulumi/proto/engine_pb";
import { engineAddress } from "./engine-address";
import { partsOf } from "../lifecycle/state/resource-key";
import type { StackInProject } from "./stack-export";

/**
 * The stack that the engine of this plugin process runs, by the root resource of the program. Undefined without a
 * program, as in `pulumi destroy`.
 */
export async function stackOfEngine(address = engineAddress()): Promise<StackInProject | undefined> {
  if (address === undefined) return undefined;
  // The SDK of the plugin process has loaded them; this package does not depend on gRPC.
  const sdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  const { credentials } = sdk("@grpc/grpc-js") as { readonly credentials: { createInsecure(): never } };
  const { EngineClient: Engine } = sdk("./proto/engine_grpc_pb") as { EngineClient: typeof EngineClient };
  const { GetRootResourceRequest } = sdk("./proto/engine_pb") as typeof enginePb;
  const engine = new Engine(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  try {
    const urn = await new Promise<string>((resolve, reject) => {
      engine.getRootResource(new GetRootResourceRequest(), (error, response) => {
        if (error === null) resolve(response.getUrn());
        else reject(error);
      });
    });
    if (urn === "") return undefined;
    const { project, stack } = partsOf(urn);
    return { project, stack };
  } finally {
    engine.close();
  }
}
