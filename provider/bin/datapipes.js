#!/usr/bin/env node
"use strict";
// Committed, not compiled, so that npm can link the command before the first build.
try {
  require("../dist/cli/command/main.js");
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  const folder = require("node:path").resolve(__dirname, "..");
  const [reason] = error.message.split("\n");
  process.stderr.write(
    `error: The package pulumi-datapipes (${folder}) is incomplete: ${reason}. Remove this folder, then install the package again with your package manager; in a checkout, run \`npm run build\`.\n`,
  );
  process.exitCode = 1;
}
