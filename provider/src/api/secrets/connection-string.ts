import { decoded } from "../../values/decoded";

/** Members of connection strings that are not secret. All others count as secret: a service may add members. */
const PUBLIC_MEMBERS: ReadonlySet<string> = new Set([
  "defaultendpointsprotocol",
  "accountname",
  "endpointsuffix",
  "endpoint",
  "blobendpoint",
  "queueendpoint",
  "tableendpoint",
  "fileendpoint",
  "blobsecondaryendpoint",
  "entitypath",
  "sharedaccesskeyname",
  "server",
  "host",
  "port",
  "database",
  "username",
]);

/** Words and numbers that any message may have. */
const COMMON_VALUE = /^(true|false|yes|no|on|off|https?|\d{1,5})$/i;

/** The secrets in a connection string: the values of its members, and the secrets in its URLs. */
export function secretMembersOf(connectionString: string): readonly string[] {
  return connectionString.split(";").flatMap((member) => {
    const equals = member.indexOf("=");
    const name = member.slice(0, Math.max(0, equals)).trim();
    if (equals < 0 || /[:/?]/.test(name)) return secretsOfUrl(member);
    const text = withoutQuotes(member.slice(equals + 1).trim());
    if (COMMON_VALUE.test(text)) return [];
    const isPublic = PUBLIC_MEMBERS.has(name.toLowerCase());
    return [...(isPublic ? [] : withDecoded(text)), ...secretsOfUrl(isPublic ? text : `?${text}`)];
  });
}

const withoutQuotes = (text: string): string =>
  text.length > 1 && /^["']/.test(text) && text.at(-1) === text[0] ? text.slice(1, -1) : text;

/** The password of a URL, and the signatures and keys in its query: `https://user:password@host/path?sv=…&sig=…`. */
function secretsOfUrl(text: string): readonly string[] {
  const [, password] = /\/\/[^/?#:@]*:([^/?#]*)@/.exec(text) ?? [];
  const [, query = ""] = /\?([^#]*)/s.exec(text) ?? [];
  const parameters = query.split("&").flatMap((parameter) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    return /sig|key|token|secret|passw/i.test(name) ? withDecoded(value) : [];
  });
  return [...(password === undefined ? [] : withDecoded(password)), ...parameters];
}

/** A server may quote a URL-encoded value decoded. */
const withDecoded = (text: string): readonly string[] => [...new Set([text, decoded(text)])];
