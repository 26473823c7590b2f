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

/** A line of a chart. */
interface Look {
  readonly color: string;
  /** The color for readers who prefer dark pages. */
  readonly dark: string;
  readonly type: "solid" | "dashed" | "dotted" | number[];
  readonly symbol: string;
}

/** All that is particular to a compared provider, beside its program in `programs/`. */
interface Variant {
  /** Its name in tables and charts. */
  readonly title: string;
  /** What it is, for the introduction of the report. */
  readonly about: string;
  readonly plugin: PluginForm;
  /** Whether it runs the code of this repository, of which more is measured than of the others. */
  readonly isOwn: boolean;
  /** Lines differ in color, dashes and points: not everybody tells the colors apart. */
  readonly look: Look;
}

/** The compared providers. */
export const VARIANT = {
  floor: {
    title: "floor",
    about: "the floor, a bare custom resource whose provider does nothing",
    plugin: DYNAMIC,
    isOwn: false,
    look: { color: "#6e7781", dark: "#8b949e", type: "dotted", symbol: "rect" },
  },
  stateful: {
    title: "stateful floor",
    about:
      "the stateful floor, whose provider does nothing but has the state of this package, with what an API returns",
    plugin: DYNAMIC,
    isOwn: false,
    look: { color: "#7c2fb8", dark: "#d2a8ff", type: "dashed", symbol: "diamond" },
  },
  ours: {
    title: "this package",
    about: "this package",
    plugin: DYNAMIC,
    isOwn: true,
    look: { color: "#0550ae", dark: "#58a6ff", type: "solid", symbol: "circle" },
  },
  native: {
    title: "native plugin",
    about: "the native plugin, which serves the same resources without the SDK's dynamic providers",
    plugin: NATIVE,
    isOwn: true,
    look: { color: "#1a7f37", dark: "#56d364", type: [10, 4, 2, 4], symbol: "arrow" },
  },
  usual: {
    title: "usual provider",
    about: "a usual dynamic provider with axios and zod",
    plugin: DYNAMIC,
    isOwn: false,
    look: { color: "#b35900", dark: "#e3a04a", type: "solid", symbol: "triangle" },
  },
} as const satisfies Record<string, Variant>;
/** The name of a compared provider. */
export type VariantName = keyof typeof VARIANT;
/** The names of all, in the order of reports. */
export const VARIANTS = Object.keys(VARIANT) as readonly VariantName[];
/** The names of those that run the code of this repository. */
export const OWN_VARIANTS = VARIANTS.filter((name) => VARIANT[name].isOwn);
/** Its name in tables and charts. */
export const titleOf = (name: VariantName): string => VARIANT[name].title;

/** One value for each variant. */
export type ByVariant<T> = Readonly<Record<VariantName, T>>;
/** Makes one value for each variant. */
export const byVariant = <T>(make: (name: VariantName) => T): Record<VariantName, T> =>
  Object.fromEntries(VARIANTS.map((name) => [name, make(name)])) as Record<VariantName, T>;
