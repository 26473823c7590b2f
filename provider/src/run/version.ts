import { version } from "pulumi-datapipes/package.json";

export const VERSION: string = version;
