import { Metadata, status } from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { EngineAdapter } from "../../provider/src/lifecycle/protocol/engine-adapter";
import { WriteFailure } from "../../provider/src/lifecycle/state/write-failure";
import { structOf } from "./struct";

/** A failed call as gRPC returns it. The engine prints only the message. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly code: status = status.UNKNOWN,
    readonly metadata = new Metadata(),
  ) {
    super(message);
  }
}

/** gRPC carries the details of a status in this header. */
const DETAILS_HEADER = "grpc-status-details-bin";

/** The error of a call about a resource. The engine stores the outputs of a partial failure. */
export async function callErrorOf(error: unknown, adapter: EngineAdapter): Promise<CallError> {
  const message = await adapter.messageOf(error);
  if (!(error instanceof WriteFailure) || error.stored === undefined) return new CallError(message);
  const detail = new ErrorResourceInitFailed()
    .setId(error.stored.id)
    .setProperties(structOf(adapter.outputs(error.stored.outputs)))
    .setReasonsList([message]);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const failed = new Status().setCode(status.UNKNOWN).setMessage(message);
  failed.addDetails(packed);
  const metadata = new Metadata();
  metadata.add(DETAILS_HEADER, Buffer.from(failed.serializeBinary()));
  return new CallError(message, status.UNKNOWN, metadata);
}
