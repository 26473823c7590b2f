import { homedir } from "node:os";
import path from "node:path";
import { cacheFolderOf } from "../../../tools/pulumi-cli/cache";

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ["linux", {}, path.join(homedir(), ".cache", "pulumi-datapipes")],
  ["linux", { XDG_CACHE_HOME: "/caches" }, "/caches/pulumi-datapipes"],
  ["linux", { XDG_CACHE_HOME: "not/absolute" }, path.join(homedir(), ".cache", "pulumi-datapipes")],
  ["darwin", {}, path.join(homedir(), "Library", "Caches", "pulumi-datapipes")],
  ["win32", { LOCALAPPDATA: "/local" }, "/local/pulumi-datapipes"],
  ["linux", { DATAPIPES_TOOLS_CACHE: "/chosen", XDG_CACHE_HOME: "/caches" }, "/chosen"],
])("on %s with %j the cache lies in the user's folder", (platform, env, root) => {
  expect(cacheFolderOf("1.2.3", env, platform).bin).toBe(path.join(root, "pulumi-1.2.3", "bin"));
});
