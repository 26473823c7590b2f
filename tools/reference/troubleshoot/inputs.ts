import { CHANGES, CONFIGURATION, entry, TAKE_OVER, type Entry } from "./entry";

/** What `pulumi preview` refuses before a request is sent: values of arguments. */
export const ARGUMENTS: readonly Entry[] = [
  entry(
    "A required field is missing",
    ["<field> is required (<type>)", "<field> is required when type is <type>"],
    "The API document requires the field. Nothing was sent.",
  ),
  entry(
    "A field has the wrong type or form",
    [
      "<field> must be a <type>, got <value>",
      "<field> must be an <type>, got <value>",
      "<field> must be a whole number of at most 15 digits, got <value>",
      "<field> must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000, got <value>",
      "<field> must be a date and time without seconds and zone, in the form YYYY-MM-DDTHH:MM, got <value>",
      "<field> must be more than 0, got <value>",
      "<field> must name at least one state",
      "<field> must have at most 50 characters, got <number>",
      "<field> must have at most 255 characters, got <number>",
      "<field> must consist of letters, digits and white space, got <value>",
      "<field> must be one of <values>, got <value>",
    ],
    "The value is not one that the API document allows. The message never repeats a value of a secret field.",
    "[The reference](../reference/pipe.md) has the type of every field.",
  ),
  entry(
    "A name that is not an argument",
    [
      '<field> is not an argument; did you mean "<name>"?',
      "<field> is not an argument; expected one of <names>",
      "<field> has an unknown member; expected one of <names>",
    ],
    "The field is misspelt, or in the wrong place.",
  ),
  entry(
    "Exactly one of several",
    [
      "source must have exactly one of <kinds>; it has none",
      "source must have exactly one of <kinds>; it has <kinds>",
    ],
    "A pipe reads from one kind of source.",
  ),
  entry(
    "An entry twice in a list",
    ["<field> repeats the <column, target table or entry> <name> of element <number>"],
    "Two elements of the list are for the same thing, which the API cannot store.",
  ),
  entry(
    "A mapping for every column",
    ["fieldMappings must cover every destination column; missing: <columns>"],
    "The API requires that the field mappings name every column of `destination.columns`.",
  ),
];

const ALLOW =
  'set replacementPolicy: "allow" to replace it; the old one remains beside the new one unless deletionPolicy is "delete"';
const KEEP = "run `pulumi state delete <URN of the resource>`, and set adopt to <id> if that still exists";

/** What `pulumi preview` refuses because it would replace a resource. */
export const REPLACEMENTS: readonly Entry[] = [
  entry(
    "A field that cannot be changed in place",
    [
      `<field> cannot be changed in place: the service has <value>, the program declares <value>. Declare what the service has (or keep it with ignoreChanges: ["<field>"]), or ${ALLOW}.`,
      `<field> cannot be changed in place, and differs from the value in the state. Undo the change, or ${ALLOW}.`,
      "<field> cannot be changed in place, and differs from the value in the state. Undo the change, or run `pulumi state delete <URN of the resource>`, and adopt takes over <id>; to replace it instead, remove adopt.",
    ],
    'The API has no operation that changes this field. A replacement makes a second pipe while the first one may go on loading the same data, so the default `replacementPolicy: "refuse"` refuses it. Nothing was sent.',
    `${CHANGES} lists the fields. If the service has the value that you want to keep, declare it, and the preview is empty.`,
  ),
  entry(
    "An import that differs in a field that cannot be changed in place",
    [
      "<type> <id> cannot be imported as the program declares it: <field> is <value> in the service, and <value> in the program. No update can change that. Declare what the service has, or the right id in the import.",
      "<type> <id> cannot be imported as the program declares it: the API never returns <field>. No update can change that. Set the argument `adopt` in place of the import.",
    ],
    "The program has the option `import`. Pulumi would import the resource, and then fail to replace it. Nothing was sent.",
  ),
  entry(
    "replaceOnChanges is refused",
    [
      `<field> changed, and replaceOnChanges requires a replacement, which replacementPolicy refuses. Remove it from replaceOnChanges, or ${ALLOW}.`,
      `<field> changed, and an unfinished replacement of an earlier run requires a replacement, which replacementPolicy refuses. Either ${KEEP}, or ${ALLOW}.`,
      `<field> changed, and replaceOnChanges or an unfinished replacement of an earlier run requires a replacement, which replacementPolicy refuses. If replaceOnChanges has it, remove it there, or ${ALLOW}. Else ${KEEP}.`,
    ],
    "The option `replaceOnChanges` names a field that changed; or a replacement has failed, and Pulumi goes on with it.",
  ),
  entry(
    "A replacement that is not finished",
    [
      `an earlier run has failed, so Pulumi replaces it although no change requires it, <which replacementPolicy refuses, or and both would load the same data>. To keep it, ${KEEP}.`,
      `an earlier run has failed, so Pulumi replaces it although no change requires it, <which replacementPolicy refuses, or and both would load the same data>. To keep it, ${KEEP}; but if its option replaceOnChanges has "*" or "#initerror", remove them instead.`,
      'an earlier run has failed, so Pulumi replaces it although no change requires it, <which replacementPolicy refuses, or and both would load the same data>. Remove "*" and "#initerror" from replaceOnChanges.',
    ],
    "An earlier run has begun to replace the resource and failed, for example because the service refused to delete the old one. Pulumi then replaces it in the next run, whatever the program declares, and counts the old one as deleted, even if it still runs. The option `replaceOnChanges` does the same after any failed run.",
    "`pulumi state delete` sends nothing. If the old one no longer exists, the next `pulumi up` creates it again.",
  ),
  entry(
    "replaceWith, or another provider",
    [
      `the option replaceWith replaces this resource whenever Pulumi replaces the resource that it names, which replacementPolicy refuses. Remove the option, or ${ALLOW}.`,
      `another provider, replaceWith or replacementTrigger requires a replacement, which replacementPolicy refuses. Undo that change, or ${ALLOW}.`,
    ],
    "Pulumi replaces a resource that gets another provider, even if nothing else changed.",
    "If the new provider is for the same account, keep the name of the old one: give it the option `aliases`.",
  ),
  entry(
    "deletionPolicy changes together with a replacement",
    [
      "deletionPolicy changed, and another provider, replaceWith or replacementTrigger requires a replacement: Pulumi would apply the old policy. Change deletionPolicy first, in a separate `pulumi up`.",
    ],
    "Pulumi decides by the policy in the state what becomes of the old resource, and not by the one of the program.",
  ),
];

const SET =
  "Set it with `pulumi config set datapipes:<name> <value>` or as <DATAPIPES_NAME> in the environment.";

/** Settings that are missing or malformed. */
export const SETTINGS: readonly Entry[] = [
  entry(
    "A setting is not set",
    [
      `datapipes:<name> is not set. ${SET}`,
      "<organizationId or serviceId> is missing. Pass it as an argument, or set it with `pulumi config set datapipes:<organizationId or serviceId> <uuid>`.",
    ],
    "The provider reads the stack's configuration first, then the environment, and found the setting in neither.",
    `Check which stack is selected: \`pulumi stack\`. ${CONFIGURATION} lists all settings.`,
  ),
  entry(
    "A setting has a value that cannot be used",
    [
      `datapipes:<name> is <value>, expected <form>. ${SET}`,
      `datapipes:<name> is <value>, which <defect>; expected <form>. ${SET}`,
      "Correct the argument <name> of the Provider <name>.",
      "<organizationId or serviceId> is <value>, expected a UUID.",
    ],
    "The value has not the form of the setting. Most are copied with something around them.",
  ),
  entry(
    "The key cannot be used",
    [
      "datapipes:apiKeySecret cannot be used: it <defect>. Set it with `pulumi config set --secret datapipes:apiKeySecret` or as DATAPIPES_API_KEY_SECRET in the environment.",
    ],
    "The value of the key secret is never shown; the message says what is wrong with it.",
    "Without a value, `pulumi config set` asks for it, which keeps the secret out of the history of your shell.",
  ),
  entry(
    "What may be wrong with a value",
    [
      "contains only white space",
      "ends with a line break",
      "begins with a line break",
      "contains a line break",
      "contains a control character",
      "begins with white space",
      "ends with white space",
      "has <number> characters instead of 36",
      "contains <part>",
    ],
    "An error of a setting has one of these after `which`. A line break at the end may come from a file: `cat file | pulumi config set …` removes one `\\n` at the end, but, outside of Windows, not the `\\r` before it.",
  ),
  entry(
    "Plain http is refused",
    [
      "datapipes:baseUrl is <url>: plain http would send the API key and all secrets unencrypted. Set an https URL with `pulumi config set datapipes:baseUrl https://…` or as DATAPIPES_BASE_URL in the environment.",
      "Give an https URL as the argument baseUrl of the Provider <name>.",
    ],
    "Everyone on the way could read the key. Only addresses of this machine may be plain http.",
  ),
];

/** Errors of the program itself: what it declares does not fit together, or a function has wrong arguments. */
export const PROGRAMS: readonly Entry[] = [
  entry(
    "Two resources manage the same thing",
    [
      "adopt names <id>, which <resource> of this program already manages. Only one resource can manage it: remove the other resource from the program, or adopt a different id.",
      "Two resources of this program manage <type> <id>: <name> and <name>. Remove one of them from the program; the other one keeps it.",
      "Two resources of this program manage <type> <id>: a resource of another provider and <name>. Remove one of them from the program; the other one keeps it.",
      'ServiceSettings "<name>" and one of another provider are both for service <id>. A program can have one ServiceSettings for each service: merge the two into one.',
      'ServiceSettings "<name>" and "<name>" are both for service <id>. A program can have one ServiceSettings for each service: merge the two into one.',
    ],
    "Both would change the same pipe or service, and a removal of one would delete what the other one manages.",
    "If you renamed a resource, give the new one the option `aliases` with the old name.",
  ),
  entry(
    "The option import, and pulumi import",
    [
      '<type> "<name>": the resource option `import` and `pulumi import <type>` cannot work with dynamic resources. Remove the option; to manage what exists, set the argument `adopt: "<id>"` or run `datapipes import`.',
      '<type> "<name>": the resource option `import` and `pulumi import <type>` cannot work with dynamic resources. Remove the option: a declared ServiceSettings manages the settings of the existing service.',
    ],
    "Pulumi reads what exists before it has the code of a dynamic resource.",
    `${TAKE_OVER} shows both ways.`,
  ),
  entry(
    "get without an id",
    ['<type>.get("<name>"): the id is missing. Pass the id of an existing resource.'],
    "The second argument of `get` is the id in the service.",
  ),
  entry(
    "Another deletionPolicy than that of the program",
    [
      '<type> "<name>": deletionPolicy is "retain" in the program, so Pulumi keeps the resource, although a transform, ignoreChanges or the stack says "delete". If it is to be deleted, declare "delete", or set its option retainOnDelete to false.',
      '<type> "<name>": deletionPolicy is "delete" in the program, but a transform, ignoreChanges or the stack says "retain", so the provider deletes nothing, although a preview shows `delete`. If it is to be deleted, change that; `pulumi up` brings the policy of the program into the stack.',
    ],
    "The class sets the option `retainOnDelete` from `deletionPolicy` before a transform changes the argument. With `pulumi destroy --run-program`, Pulumi takes this option from the program and the policy from the stack.",
    "Change the argument where the resource is declared, or set both in the transform; before a destroy, run `pulumi up`.",
  ),
  entry(
    "Wrong arguments of a function",
    [
      "<function> failed: its <arguments or options> must be an object, but are <kind>.",
      "<function> failed: <name> is required.",
      "<function> failed: it requires exactly one of `id` and `name`.",
      "<function> failed: <name> is not known yet: use <function>Output.",
      "<function> failed: <name> must be a string, but is <a resource of type ‹type›, or another kind>.",
      "<function> failed: <name> must not be empty.",
      "<function> failed: its option provider must be a Provider of this package, but is <kind>.",
    ],
    "A call of a data function, such as `getPipe`, has other arguments than its types say, or an output where a text belongs.",
    "To pass an output of a resource, call the form with `Output` at the end of its name.",
  ),
  entry(
    "The package is older than the stack",
    [
      "pulumi-datapipes <version> has no resource type <type>. Update the package: the stack may come from a newer version.",
    ],
    "The state has a resource of a kind that the installed version does not know.",
  ),
  entry(
    "The plugin is older than the SDK",
    [
      "pulumi-datapipes <version> has no function <name>. Update the plugin: the program may use a newer SDK.",
    ],
    "The program calls a function that the installed plugin does not have.",
  ),
];
