import { version } from "pulumi-datapipes/package.json";

/** The version of this package. */
export const VERSION: string = version;
