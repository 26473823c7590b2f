import { entry, TAKE_OVER, type Entry } from "./entry";

/** What `datapipes import` says. */
export const IMPORT: readonly Entry[] = [
  entry(
    "import: nothing was written",
    [
      "Nothing was written: <files> already exists. Name another folder with --out, or overwrite with --force.",
      "Nothing was written: <files> already exist. Name another folder with --out, or overwrite with --force.",
      "Nothing was written: <path> is a folder. Name another one with --out.",
      "The files could not be written to <folder>: <reason>.",
      "error: The result could not be written: <reason>.",
    ],
    "The command writes all of its files or none.",
  ),
  entry(
    "import: no pipe matches",
    [
      "No pipe has a name or an id that matches <pattern>.",
      "warning: no pipe matches <pattern>.",
      "There is no pipe to write, so no file was written.",
    ],
    "`--only` compares with the whole name, or the whole id; `*` stands for any text. Put it in quotes, so that the shell does not replace it.",
  ),
  entry(
    "import: no service",
    ["The configuration names no service: set one, or pass --service <id>."],
    "The command reads the pipes of `datapipes:serviceId`, unless you name services.",
    TAKE_OVER,
  ),
  entry(
    "import: a pipe is skipped",
    [
      "Skipped pipe <name> (<id>): its field <field> contains a secret.",
      "Skipped pipe <name> (<id>): its field <field> is a URL that contains a credential.",
      "Skipped pipe <name> (<id>): its field <field> has control characters or invisible ones.",
      "warning: pipe <name> (<id>): its name has control characters or invisible ones; the program has it without them.",
      "Skipped pipe <name> (<id>): it has several kinds of source: <kinds>.",
      "Skipped pipe <name> (<id>): the API returns no source for it.",
      "Skipped pipe <name> (<id>): the API returns no name for it.",
      "Skipped pipe <name> (<id>): its id is not a UUID.",
      "Skipped pipe <name> (<id>): this version does not know its kind of source: <kinds>.",
      "warning: pipe <name> (<id>): <field> <defect>. The program does not declare it.",
      "warning: pipes <name> (<id>), <name> (<id>) and <number> more: <field> is a field that this version does not know. The program does not declare it.",
      "warning: pipe <name> (<id>): destination.columns needs mappings: fieldMappings must cover every destination column; missing: <columns>. The program does not declare it.",
    ],
    "The program would say something that is not true of the pipe, or contain a secret. The other pipes are written.",
    TAKE_OVER,
  ),
  entry(
    "The configuration of the stack could not be read",
    [
      "The configuration of the selected stack could not be read: <words of the CLI>",
      "The configuration of stack <name> could not be read: <words of the CLI>",
      "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the passphrase of the stack: without it, `pulumi config --show-secrets` fails.",
      "Make `pulumi config --show-secrets` work in this folder, then run the command again.",
      "the command pulumi is not on the PATH.",
      "the Pulumi CLI did not end within <number> s.",
      "the Pulumi CLI gave no reason.",
    ],
    "`datapipes` asks the Pulumi CLI for the settings of the stack. The words after the colon are those of the CLI; a missing passphrase is the usual reason.",
  ),
];

/** What `datapipes summary` says. */
export const SUMMARY: readonly Entry[] = [
  entry(
    "summary: the input is no preview",
    [
      "The preview has no JSON object.",
      "The preview is not complete JSON.",
      "The JSON is not that of a preview.",
      "The preview could not be read: <reason>.",
    ],
    "The command reads what `pulumi preview --json` prints, from a file or from standard input. If the preview itself failed before it printed JSON, its own error says why.",
  ),
];

/** What `datapipes doctor` finds. */
export const DOCTOR: readonly Entry[] = [
  entry(
    "doctor: the package",
    [
      "pulumi-datapipes cannot be found from <folder>, where Pulumi's plugin process looks for it.",
      "pulumi-datapipes <version> (<folder>) is incomplete: pulumi-datapipes/runtime does not resolve (<no reason given>). Install it again: remove <folder>, then run `<command>`. In a checkout, run `npm run build`.",
      "The project uses pulumi-datapipes <version> (<folder>), but this command is of another copy, <version> (<folder>).",
      "Other packages of the project have copies of pulumi-datapipes of their own: <version> (<folder>). Pulumi's plugin process uses <version> for all resources. Run `<command>`; if a copy is left, make all packages require the same version of pulumi-datapipes.",
      "The project is installed with Yarn's Plug'n'Play (<file>): Pulumi finds the packages only if Yarn starts it, as in `yarn exec pulumi up`. yarn config set nodeLinker node-modules && yarn install",
    ],
    "Pulumi runs the provider in a process of its own, which finds packages in `node_modules` of the project. Under Plug'n'Play there is none.",
  ),
  entry(
    "doctor: versions",
    [
      "Node <version> is too old: pulumi-datapipes requires <range>. Install a current Node: https://nodejs.org/",
      "Node <version> is not enough for @pulumi/pulumi <version>, which requires <range>. Install a Node <range>, or install an SDK for Node 20: `<command>`.",
      "@pulumi/pulumi cannot be found from <folder>.",
      "@pulumi/pulumi <version> (<folder>) is not in <range>, which pulumi-datapipes requires.",
      "The program uses @pulumi/pulumi <version> (<folder>), but pulumi-datapipes another copy, <version> (<folder>). Run `<command>`, and remove <folder> if it is still there.",
      "The Pulumi CLI does not run, so the stack was not checked: <reason>. Install a current Pulumi CLI: https://www.pulumi.com/docs/install/",
      "The Pulumi CLI does not print its version.",
      "Pulumi CLI <version> is older than <version>.",
      "Pulumi CLI <version> is older than <version>, which `pulumi import --file` needs for the files of `datapipes import`.",
    ],
    "A part of the tools is missing, too old, or there twice. Two copies of the SDK do not know each other's resources.",
  ),
  entry(
    "doctor: the project and the stack",
    [
      "There is no Pulumi.yaml in <folder> or in a folder above it: the settings come from the environment alone. Run the command in the folder of a project, or create one with `pulumi new typescript`.",
      "The project file <file> cannot be read: <reason>",
      "No stack is selected: the settings come from the environment alone.",
      "No stack is selected, although the project has stack <name>: the settings come from the environment alone.",
      "The backend has no stack <name>. The folder has the configuration of stack <name>, which this backend does not have: it may be in another one. Select the backend of the stack with `pulumi login <url>` or PULUMI_BACKEND_URL.",
      "The backend has no stack <name>; it has <names>.",
      "The backend is <url>, which PULUMI_BACKEND_URL names; backend.url of <file> names <url>, which is not used.",
      "The Pulumi CLI cannot use its backend: <words of the CLI> Correct PULUMI_BACKEND_URL, or run `unset PULUMI_BACKEND_URL`.",
      "The Pulumi CLI cannot use its backend: <words of the CLI> Correct backend.url of <file>. If the URL is right, run `pulumi login`.",
      "The stack cannot be read: <words of the CLI> Make `pulumi stack` work in this folder, then run the command again.",
    ],
    "The stack that the command sees is not the one that you mean, or there is none.",
  ),
  entry(
    "doctor: settings",
    [
      "datapipes:<name> is set (<source>; <variable> has another value, which is not used).",
      "datapipes:<name> is a text that is not a URL (<source>).",
      "<key> is not a setting, and the provider does not read it; did you mean datapipes:<name>?",
      "Set an https URL as datapipes:baseUrl, then remove the permission: `pulumi config rm <key>`, or unset <variable>.",
      "The environment does not give <keys>, and the configuration of a stack is not read while none is selected.",
    ],
    "Each setting with the place where it comes from. Values of secrets are never shown.",
  ),
  entry(
    "doctor: a proxy",
    [
      "The environment sets <variable>, and no_proxy (in lower case) does not list 127.0.0.1: the Pulumi SDK connects to the Pulumi CLI through the proxy <url>, which cannot reach this machine.",
      "The environment sets <variable>, and no_proxy (in lower case) does not list 127.0.0.1: the Pulumi SDK connects to the Pulumi CLI through the proxy <url>, which does not answer.",
      "The request goes through the proxy <url>, which <variable> names. Check that the proxy runs. Correct <variable>, or, if the API needs no proxy, run `<command>`.",
      "The environment sets <variable>, and NO_PROXY does not list <host>. The provider never uses a proxy for it, but other tools do.",
    ],
    "The program of a stack talks to the Pulumi CLI over the loopback address. A proxy breaks that.",
  ),
  entry(
    "doctor: the list of pipes",
    [
      "An HTML page comes from the service's console or from another web server, not from the API. Find the address of the API in the service's documentation.",
      "The API does not redirect: this may be the address of the service's console. Find the address of the API in the service's documentation.",
      "The API does not know this key. Give the id and the secret of an active key, each in its place: `pulumi config set datapipes:apiKeyId <value>` and `pulumi config set --secret datapipes:apiKeySecret`, or DATAPIPES_API_KEY_ID and DATAPIPES_API_KEY_SECRET in the environment.",
      "The API knows the key, but does not let it list the pipes of this service in organization <id>. Give the key a role that may read pipes, or give the id and the secret of a key of this organization: `pulumi config set datapipes:apiKeyId <value>` and `pulumi config set --secret datapipes:apiKeySecret`, or DATAPIPES_API_KEY_ID and DATAPIPES_API_KEY_SECRET in the environment.",
      "datapipes:serviceId is the id of the organization. Find the id of the service in the service's console.",
      "The key is not of organization <id>, there is no such organization, or datapipes:organizationId and datapipes:serviceId are swapped. Find the organization of the key in the service's console.",
      "Organization <id> has no service <id> that this key may see. Check the id of the service, and that it is not the id of an organization or of a pipe.",
      "Check the network and any proxy; if the server is busy, run the command again later.",
      "Wait until the rate limit of the key has room, then run the command again.",
      "The server states that <number> of <number> requests are left for the next <number> s.",
      "The response took <number> ms.",
    ],
    "The command sends one request: the list of the pipes of your service. It is the request that every refresh begins with.",
  ),
];
