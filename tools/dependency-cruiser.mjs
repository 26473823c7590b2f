/**
 * `npm run lint` refuses circles of imports, of files and of folders, also those of types alone.
 *
 * @type {import("dependency-cruiser").IConfiguration}
 */
export default {
  forbidden: [
    { name: "no circle of files", severity: "error", from: {}, to: { circular: true } },
    { name: "no circle of folders", scope: "folder", severity: "error", from: {}, to: { circular: true } },
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" } },
};
