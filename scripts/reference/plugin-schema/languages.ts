import { PACKAGE } from "./types";

/** The npm package that Pulumi generates from the schema. */
const NODEJS_PACKAGE = "pulumi-datapipes-sdk";

const COMMON = { respectSchemaVersion: true };

/**
 * What the generated SDKs are called, and what they need. The npm package has another name than the one for TypeScript, which is no generated
 * one. Go, Java and C# have Pulumi's defaults.
 */
export const LANGUAGES = {
  nodejs: { ...COMMON, packageName: NODEJS_PACKAGE, dependencies: { "@pulumi/pulumi": "^3.142.0" } },
  python: {
    ...COMMON,
    packageName: "pulumi_datapipes",
    requires: { pulumi: ">=3.142.0,<4.0.0" },
    pyproject: { enabled: true },
  },
  csharp: { ...COMMON, namespaces: { [PACKAGE]: "Datapipes" }, packageReferences: { Pulumi: "3.*" } },
  go: { ...COMMON, generateResourceContainerTypes: true },
  java: { buildFiles: "gradle" },
};
