/**
 * Members of connection strings that hold no secret: addresses, names and switches. All others do, whatever they are called: a
 * service may add some, and to hide too much of an error costs less than to show a key.
 */
const OPEN_MEMBERS: ReadonlySet<string> = new Set([
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

/** Words and numbers that any message may hold. */
const SWITCH = /^(true|false|yes|no|on|off|https?|\d{1,5})$/i;

/** What is secret inside a connection string: the values of its members, and what stands in its addresses. */
export function secretMembersOf(connectionString: string): readonly string[] {
  return connectionString.split(";").flatMap((member) => {
    const equals = member.indexOf("=");
    const name = member.slice(0, Math.max(0, equals)).trim();
    if (equals < 0 || /[:/?]/.test(name)) return secretsOfAddress(member);
    const text = withoutQuotes(member.slice(equals + 1).trim());
    if (SWITCH.test(text)) return [];
    const isOpen = OPEN_MEMBERS.has(name.toLowerCase());
    return [...(isOpen ? [] : withDecoded(text)), ...secretsOfAddress(isOpen ? text : `?${text}`)];
  });
}

const withoutQuotes = (text: string): string =>
  text.length > 1 && /^["']/.test(text) && text.at(-1) === text[0] ? text.slice(1, -1) : text;

/** The password of an address, and the signatures and keys of its query: `https://user:password@host/path?sv=…&sig=…`. */
function secretsOfAddress(text: string): readonly string[] {
  const [, password] = /\/\/[^/?#:@]*:([^/?#]*)@/.exec(text) ?? [];
  const [, query = ""] = /\?([^#]*)/s.exec(text) ?? [];
  const parameters = query.split("&").flatMap((parameter) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    return /sig|key|token|secret|passw/i.test(name) ? withDecoded(value) : [];
  });
  return [...(password === undefined ? [] : withDecoded(password)), ...parameters];
}

/** What an address has encoded may be quoted decoded. */
function withDecoded(text: string): readonly string[] {
  try {
    return [...new Set([text, decodeURIComponent(text)])];
  } catch {
    return [text];
  }
}
