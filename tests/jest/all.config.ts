import { configOf } from "./tiers";

/** Of each law, where the environment does not say how many. */
process.env["LAWS_RUNS"] ??= "100";

export default configOf("all");
