/** Who may call the API, and what belongs to whom. */
export interface Account {
  apiKeyId: string;
  apiKeySecret: string;
  /** The organization of the key. */
  organizationId: string;
  /** The services that the key may work with; all belong to the organization. */
  serviceIds: string[];
}

/** The account that exists when none is given. All four values are fakes of the simulator's own. */
export const DEFAULT_ACCOUNT: Readonly<Account> = {
  apiKeyId: "demo-key-id",
  apiKeySecret: "demo-key-secret",
  organizationId: "0a1b2c3d-0000-4000-8000-000000000001",
  serviceIds: ["0a1b2c3d-0000-4000-8000-000000000002"],
};

/** Finds the account of an Authorization header; undefined when nobody has that key. */
export function accountOf(
  accounts: readonly Account[],
  authorization: string | undefined,
): Account | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const credential = Buffer.from(encoded, "base64").toString("utf8");
  return accounts.find((account) => `${account.apiKeyId}:${account.apiKeySecret}` === credential);
}
