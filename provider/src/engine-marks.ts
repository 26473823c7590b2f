/** The member by which Pulumi's engine takes an object for a secret, an asset, an archive, a resource or an output. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The text that is a value that is not known yet. Types other than string have others. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
