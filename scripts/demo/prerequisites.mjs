/**
 * Runs before the demo, and with nothing but Node.js: says what is missing, for else the next command would fail with
 * a message of its own that helps nobody.
 */
import { existsSync } from "node:fs";

const neededNode = [20, 19];
const tsNode = new URL("../../node_modules/ts-node", import.meta.url);

/** @returns {string | undefined} */
function missing() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [neededMajor = 0, neededMinor = 0] = neededNode;
  if (major < neededMajor || (major === neededMajor && minor < neededMinor))
    return `The demo needs Node.js ${neededNode.join(".")} or newer, and this is ${process.versions.node}.`;
  if (!existsSync(tsNode))
    return "The packages are not installed. Run `npm ci` first, then `npm run demo` again.";
  return undefined;
}

const complaint = missing();
if (complaint === undefined) {
  console.log("Building the provider and the simulator (npm run build) …");
} else {
  console.error(complaint);
  process.exitCode = 1;
}
