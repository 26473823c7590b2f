import { engines } from "../package.json";

// This file is compiled for a Node that cannot read main.js, and only says so.
const needed = engines.node.replace(">=", "");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [neededMajor = 0, neededMinor = 0] = needed.split(".").map(Number);

if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) void import("./main.js");
else {
  const found = `and found ${process.versions.node}`;
  console.error(`pulumi-resource-datapipes needs Node.js ${needed} or newer on the PATH, ${found}.`);
  process.exitCode = 1;
}
