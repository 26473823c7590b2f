import { namesOf } from "../../release/address";
import { PACKAGE } from "./types";

/** The npm package that Pulumi generates from the schema. */
const NODEJS_PACKAGE = "pulumi-datapipes-sdk";

/** Where the repository is, for those who look for the package and for Pulumi, which downloads the plugin from its releases. */
export function placesOf(url: string) {
  const { owner, name } = namesOf(url);
  return {
    homepage: `${url}#readme`,
    repository: url,
    publisher: owner,
    logoUrl: `https://raw.githubusercontent.com/${owner}/${name}/main/docs/logo.svg`,
    pluginDownloadURL: `github://api.github.com/${owner}/${name}`,
  };
}

/** What the generated SDKs are called, and what they need. The npm package has another name than the one for TypeScript, which is no generated one. */
export function languagesOf(url: string) {
  const common = { respectSchemaVersion: true };
  const { go, java, csharp } = namesOf(url);
  return {
    nodejs: { ...common, packageName: NODEJS_PACKAGE, dependencies: { "@pulumi/pulumi": "^3.142.0" } },
    python: {
      ...common,
      packageName: "pulumi_datapipes",
      requires: { pulumi: ">=3.142.0,<4.0.0" },
      pyproject: { enabled: true },
    },
    csharp: {
      ...common,
      rootNamespace: csharp,
      namespaces: { [PACKAGE]: "Datapipes" },
      packageReferences: { Pulumi: "3.*" },
    },
    go: { ...common, generateResourceContainerTypes: true, importBasePath: go },
    java: { basePackage: java, buildFiles: "gradle" },
  };
}
