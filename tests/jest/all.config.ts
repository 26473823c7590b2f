import { configOf } from "./tiers";

export default configOf("all");
