import path from "node:path";
import { cliFolder } from "../testkit/cli";
import { pluginFolder, plugins } from "../testkit/sdk";

/** How the provider of a variant reaches the engine. */
interface PluginForm {
  /** What the path of the script of the plugin process contains. */
  readonly script: string;
  /** The executable that the engine starts. */
  readonly launcher: () => Promise<string>;
  /** The plugins that the project names. */
  readonly providers: readonly { readonly name: string; readonly path: string }[];
}

const DYNAMIC: PluginForm = {
  script: path.join("cmd", "dynamic-provider"),
  launcher: async () => path.join(await cliFolder(), "pulumi-resource-pulumi-nodejs"),
  providers: [],
};

const NATIVE: PluginForm = {
  script: pluginFolder,
  launcher: () => Promise.resolve(path.join(pluginFolder, "pulumi-resource-datapipes")),
  providers: plugins.providers,
};

/** All that is particular to a compared provider, beside its program in `programs/`. */
interface Variant {
  /** Its name in tables. */
  readonly title: string;
  readonly plugin: PluginForm;
  /** Whether it runs the code of this repository, of which more is measured than of the others. */
  readonly isOwn: boolean;
}

/** The compared providers. */
export const VARIANT = {
  floor: {
    title: "floor",
    plugin: DYNAMIC,
    isOwn: false,
  },
  stateful: {
    title: "stateful floor",
    plugin: DYNAMIC,
    isOwn: false,
  },
  ours: {
    title: "this package",
    plugin: DYNAMIC,
    isOwn: true,
  },
  native: {
    title: "native plugin",
    plugin: NATIVE,
    isOwn: true,
  },
  usual: {
    title: "usual provider",
    plugin: DYNAMIC,
    isOwn: false,
  },
} as const satisfies Record<string, Variant>;
/** The name of a compared provider. */
export type VariantName = keyof typeof VARIANT;
/** The names of all, in the order of reports. */
export const VARIANTS = Object.keys(VARIANT) as readonly VariantName[];
/** The names of those that run the code of this repository. */
export const OWN_VARIANTS = VARIANTS.filter((name) => VARIANT[name].isOwn);
/** Its name in tables. */
export const titleOf = (name: VariantName): string => VARIANT[name].title;

/** One value for each variant. */
export type ByVariant<T> = Readonly<Record<VariantName, T>>;
/** Makes one value for each variant. */
export const byVariant = <T>(make: (name: VariantName) => T): Record<VariantName, T> =>
  Object.fromEntries(VARIANTS.map((name) => [name, make(name)])) as Record<VariantName, T>;
