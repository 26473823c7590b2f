/** An API key, its organization and its services. */
export interface Account {
  apiKeyId: string;
  apiKeySecret: string;
  /** The organization of the key. */
  organizationId: string;
  /** The services that the key may use; all are in the organization. */
  serviceIds: string[];
}

/** The account that exists by default, with values that no real service has. */
export const DEFAULT_ACCOUNT: Readonly<Account> = {
  apiKeyId: "demo-key-id",
  apiKeySecret: "demo-key-secret",
  organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
  serviceIds: ["0a1b2c3d-0000-4000-8000-000000000002"],
};

/** The account of an Authorization header; undefined for an unknown key. */
export function accountOf(
  accounts: readonly Account[],
  authorization: string | undefined,
): Account | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const credential = Buffer.from(encoded, "base64").toString("utf8");
  return accounts.find((account) => `${account.apiKeyId}:${account.apiKeySecret}` === credential);
}
