import type { Damage } from "../damage";
import { PLUGIN_DAMAGES } from "./plugin";
import { PROGRAM_DAMAGES } from "./program";
import { REQUEST_DAMAGES } from "./requests";
import { RESOURCE_DAMAGES } from "./resources";
import { RETRY_DAMAGES } from "./retries";
import { SIMULATOR_DAMAGES } from "./simulator";
import { STATE_DAMAGES } from "./state";

export const DAMAGES: readonly Damage[] = [
  ...REQUEST_DAMAGES,
  ...RETRY_DAMAGES,
  ...STATE_DAMAGES,
  ...RESOURCE_DAMAGES,
  ...PROGRAM_DAMAGES,
  ...PLUGIN_DAMAGES,
  ...SIMULATOR_DAMAGES,
];
