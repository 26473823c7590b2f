import { configOf } from "./tiers";

export default configOf("test");
