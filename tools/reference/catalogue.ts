import { SECRET_NAMES } from "../../provider/src/api/secret-names";
import { fieldsOf, type Field } from "../../provider/src/core/fields";
import { pipeSchema } from "../../provider/src/resources/pipe/schema";
import { reversePrivateEndpointSchema } from "../../provider/src/resources/reverse-private-endpoint/schema";
import { serviceSettingsSchema } from "../../provider/src/resources/service-settings/schema";

/** A resource whose reference is made: what its fields mean, and where the words about them stand. */
export interface Described {
  /** The name of the class. */
  readonly type: string;
  /** What people call one of them. */
  readonly noun: string;
  readonly fields: readonly Field[];
  /** The files that hold the declarations. */
  readonly sources: readonly string[];
  /** The interface or type of the arguments. */
  readonly args: string;
  /** Where its page is written. */
  readonly page: string;
}

/** The resources, in the order in which they are shown. Another one is another entry. */
export const RESOURCES: readonly Described[] = [
  {
    type: "Pipe",
    noun: "pipe",
    fields: fieldsOf(pipeSchema, SECRET_NAMES),
    sources: ["provider/src/resources/pipe/args.ts", "provider/src/resources/pipe/pipe.ts"],
    args: "PipeArgs",
    page: "docs/reference/pipe.md",
  },
  {
    type: "ReversePrivateEndpoint",
    noun: "endpoint",
    fields: fieldsOf(reversePrivateEndpointSchema, SECRET_NAMES),
    sources: [
      "provider/src/resources/reverse-private-endpoint/args.ts",
      "provider/src/resources/reverse-private-endpoint/reverse-private-endpoint.ts",
    ],
    args: "ReversePrivateEndpointArgs",
    page: "docs/reference/reverse-private-endpoint.md",
  },
  {
    type: "ServiceSettings",
    noun: "resource",
    fields: fieldsOf(serviceSettingsSchema, SECRET_NAMES),
    sources: [
      "provider/src/resources/service-settings/args.ts",
      "provider/src/resources/service-settings/service-settings.ts",
    ],
    args: "ServiceSettingsArgs",
    page: "docs/reference/service-settings.md",
  },
];
