import { CONFIGURATION, entry, FAILED_RUN, type Entry } from "./entry";

/** Warnings of `ServiceSettings`. */
export const SERVICE_SETTINGS: readonly Entry[] = [
  entry(
    "An update of the lists failed",
    [
      "ServiceSettings <id>: the last update failed, and the provider cannot know what it has changed in the lists. This update reads them, adds the entries that the program declares, and removes those that it no longer declares.",
      "ServiceSettings <id>: the last update failed, and the provider cannot know what it has changed in the lists. This update reads them, adds the entries that the program declares, and removes those that it does not declare.",
    ],
    "A former run had no answer. This one repairs the lists: run `pulumi up`.",
  ),
  entry(
    "Entries of others",
    [
      "service <id>: <list> also has entries that the program does not declare: <entries>. The provider did not change them; declare those that this program should manage.",
    ],
    "Without `exclusive: true`, the provider manages the declared entries alone.",
  ),
  entry(
    "An entry that the service did not remove or writes in another way",
    [
      "service <id>: the request to remove <entries> from <list> succeeded, but the response still lists it. Remove it in the service's console.",
      "service <id>: <list> does not list <entries>, but lists <entries>, which may be the same in another spelling. The provider did not change it. Declare the entry in the spelling of the service.",
    ],
    "The service compares entries by their text.",
  ),
];

/** Warnings of security, and of the machine. */
export const MACHINE: readonly Entry[] = [
  entry(
    "A backup is left out",
    ["list the backups of service <id>: left out what has an id that is not a UUID: <names>."],
    "`getBackups` returns the others. The API document says that ids are UUIDs: the message names backups by their `backupName`.",
    "Ask those who run the service.",
  ),
  entry(
    "The key secret is plain text",
    [
      "datapipes:apiKeySecret is set as plain text: the stack's configuration and history hold it unencrypted. Encrypt it with `pulumi config set --secret datapipes:apiKeySecret`.",
    ],
    "Everyone who can read the stack file or the state can read the key.",
    "The command asks for the value. Former states keep it, so rotate the key afterwards.",
  ),
  entry(
    "Plain http is allowed",
    [
      "<url> uses plain http (datapipes:allowInsecure): the provider sends the API key and all secrets unencrypted.",
      'datapipes:allowInsecure is "true", which allows the provider to send the API key and all secrets unencrypted. Remove it where every datapipes:baseUrl is https or a loopback address.',
    ],
    `The warning comes at every run for as long as the setting is "true". See ${CONFIGURATION}.`,
  ),
  entry(
    "The native plugin refuses to be configured",
    [
      "pulumi-resource-datapipes refuses to be configured twice: the engine does this once, so another program on this machine has called the port of the plugin. Find out which one. If it is not yours, change the API key before you run the command again.",
      "pulumi-resource-datapipes refuses Attach: an engine has started this process, and no other engine may use it. To attach one, start pulumi-resource-datapipes by hand, and set PULUMI_DEBUG_PROVIDERS=datapipes:<port>.",
    ],
    "The engine talks to a plugin over a port of the machine, which programs of other users can call. The plugin sends the key only where the first configuration says.",
    "[SECURITY.md](../../SECURITY.md) says what a port means on a machine that several people use.",
  ),
  entry(
    "The key of the environment is not sent to another address",
    [
      "the provider does not send the API key of its environment to <url>: this process was first configured for <url>. Give apiKeyId and apiKeySecret together with baseUrl, or start the plugin again.",
    ],
    "The plugin was started by hand, for `PULUMI_DEBUG_PROVIDERS`, and a second program has configured it for another API.",
  ),
  entry(
    "The temporary folder cannot be used",
    [
      "the provider cannot use the temporary folder (<reason>), in which the provider instances of a run record what they adopt or declare. This run may delete what another provider instance, or a resource that --target or --exclude leaves out, adopts. Set TMPDIR to a writable folder.",
      "<reason>: <folder> is a symbolic link",
      "<reason>: <folder> is not a folder",
      "<reason>: <folder> belongs to another user",
      "<reason>: <folder> can be written to by other users",
      "<reason>: <folder> was removed during the run",
    ],
    "A program with several `Provider` instances runs several processes, which record in files what each of them manages. The provider uses their folder, `pulumi-datapipes-<user id>`, only while it is a folder of yours to which no other user can write; it checks this at each use.",
  ),
];

/** Errors that are not of this package, but of Pulumi or Node.js because of it. */
export const OTHERS: readonly Entry[] = [
  entry(
    "Cannot find module 'pulumi-datapipes/runtime'",
    ["Cannot find module 'pulumi-datapipes/runtime'"],
    "Pulumi's plugin process loads the package by name from the folder of the program, and it is not installed there. A refresh or a destroy needs it, too.",
    "Run `npm install` in the folder of the project. `npx datapipes doctor` says what is wrong with the installation.",
  ),
  entry(
    "error reading from server: EOF",
    ["error reading from server: EOF"],
    "The plugin process ended, for example because the machine had no memory left. After a create, the pipe may exist and the state may lack it.",
    "[Recover from a failed run](failed-run.md) has the steps.",
  ),
  entry(
    "Pending operations, interrupted while creating",
    [
      "the stack '<name>' has <number> pending operations",
      "Attempting to deploy or update resources with <number> pending operations from previous deployment.",
      "<URN>, interrupted while creating",
    ],
    "The CLI was killed while it waited for a create. The pipe may exist, and the state lacks it.",
    `${FAILED_RUN} says how to look for the pipe. \`pulumi refresh --clear-pending-creates\` then removes the warning.`,
  ),
  entry(
    "incorrect passphrase, passphrase must be set",
    [
      "incorrect passphrase",
      "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
    ],
    "The secrets of the stack are encrypted with a passphrase, and the CLI has none or another one. Nothing was sent.",
    "Set `PULUMI_CONFIG_PASSPHRASE` to the passphrase with which the stack was created; an empty one must be set, too. Without the passphrase, the secrets of the stack cannot be read.",
  ),
  entry(
    "No connection established. Last error: undefined",
    ["No connection established. Last error: undefined"],
    "The Pulumi SDK could not connect to the Pulumi CLI on this machine. The usual reason is a proxy of the environment that is also used for the loopback address.",
    "Run `npx datapipes doctor`, which finds such a proxy, or add `127.0.0.1` to `no_proxy` and `NO_PROXY`.",
  ),
];
