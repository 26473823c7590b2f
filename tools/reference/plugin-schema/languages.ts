import { PACKAGE } from "./types";

/** The npm package that Pulumi generates from the schema. */
const NODEJS_PACKAGE = "pulumi-datapipes-sdk";

/** What the SDKs of some languages are called after the owner of the repository, as nobody else may publish under Pulumi's names. */
export function namesOf(url: string) {
  const [owner = "", name = ""] = new URL(url).pathname.slice(1).split("/");
  const words = owner.split(/[^A-Za-z0-9]+/).map((word) => word.toLowerCase());
  /** No identifier begins with a digit. */
  const identifier = (text: string): string => text.replace(/^(?=\d)/, "_");
  return {
    owner,
    name,
    go: `${url.replace(/^https:\/\//, "")}/sdk/go/${PACKAGE}`,
    java: `io.github.${identifier(words.join("_"))}`,
    csharp: identifier(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")),
  };
}

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
