import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../../provider/src/lifecycle/protocol/engine-values";

/** Properties as gRPC carries them. */
export const structOf = (properties: Properties): Struct =>
  Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);

/** The properties that gRPC carried; none if the message has no such field. */
export const propertiesOf = (struct: Struct | undefined): Properties => struct?.toJavaScript() ?? {};
