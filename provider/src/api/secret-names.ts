/**
 * The members of the API's objects that are secret, wherever they stand. The one list: what is encrypted in state,
 * what is shown as `[secret]` and what is blotted out of errors all follow from it.
 */
export const SECRET_NAMES: ReadonlySet<string> = new Set(["credentials", "accessKey", "connectionString"]);
