import { namesOf, PLACEHOLDER_URL } from "../../release/address";
import { PACKAGE } from "./types";

/** The npm package that Pulumi generates from the schema. */
const NODEJS_PACKAGE = "pulumi-datapipes-sdk";

/** Where Pulumi downloads the plugin: the releases of the repository. */
export function downloadUrlOf(url: string): string {
  const { owner, name } = namesOf(url);
  return `github://api.github.com/${owner}/${name}`;
}

/** Where the repository is, for those who look for the package, and for Pulumi. */
export function placesOf(url: string) {
  const { owner, name } = namesOf(url);
  return {
    homepage: `${url}#readme`,
    repository: url,
    publisher: owner,
    logoUrl: `https://raw.githubusercontent.com/${owner}/${name}/main/docs/logo.svg`,
    // SDKs write it into the provider in each state, and previews show it there: no placeholder, at which Pulumi finds nothing.
    ...(url !== PLACEHOLDER_URL && { pluginDownloadURL: downloadUrlOf(url) }),
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
