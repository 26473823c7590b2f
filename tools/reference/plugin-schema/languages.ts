import { NODEJS_PACKAGE } from "./examples";
import { PACKAGE } from "./types";

/** Where the repository is, for those who look for the package and for Pulumi, which downloads the plugin from its releases. */
export function placesOf(url: string | undefined) {
  if (url === undefined) return {};
  const [owner = "", name = ""] = new URL(url).pathname.slice(1).split("/");
  return {
    homepage: `${url}#readme`,
    repository: url,
    publisher: owner,
    pluginDownloadURL: `github://api.github.com/${owner}/${name}`,
  };
}

/** What the generated SDKs are called, and what they need. The npm package has another name than the one for TypeScript, which is no generated one. */
export function languagesOf(url: string | undefined) {
  const common = { respectSchemaVersion: true };
  return {
    nodejs: { ...common, packageName: NODEJS_PACKAGE, dependencies: { "@pulumi/pulumi": "^3.142.0" } },
    python: {
      ...common,
      packageName: "pulumi_datapipes",
      requires: { pulumi: ">=3.142.0,<4.0.0" },
      pyproject: { enabled: true },
    },
    csharp: { ...common, namespaces: { [PACKAGE]: "Datapipes" }, packageReferences: { Pulumi: "3.*" } },
    go: {
      ...common,
      generateResourceContainerTypes: true,
      ...(url !== undefined && { importBasePath: `${url.replace(/^https:\/\//, "")}/sdk/go/${PACKAGE}` }),
    },
    java: { buildFiles: "gradle" },
  };
}
