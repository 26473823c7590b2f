import { entry, FAILED_RUN, type Entry } from "./entry";

/** Lines while a run goes on, and what they say of its end. */
export const PROGRESS: readonly Entry[] = [
  entry(
    "Retries",
    [
      "<operation>: status <status>; retrying in <number> s (<number> of <number>)",
      "<operation>: no response in time; retrying (<number> of <number>)",
      "<operation>: <code>; retrying (<number> of <number>)",
      "<operation>: status 429; retrying in <number> s",
      "<operation>: status 429; retrying in <number> s; <number> requests wait",
      "<operation>: status 429; retrying",
      "<operation>: <reason>, because the previous update may still be in progress; retrying in <number> s",
    ],
    "An attempt failed, and it is safe to send the request again. You need to do nothing.",
  ),
  entry(
    "No time for a retry",
    ["<operation>: status <status>; not retrying, because customTimeouts leaves no time for it"],
    "An attempt failed, and the pause before the next one would be longer than what is left of the timeout in `customTimeouts`. The error of the resource says what the server answered.",
  ),
  entry(
    "Waiting for the rate limit",
    [
      "rate limit of the API (<number> in <number> s): <number> requests wait, the last one for about <number> min, until <time>",
      "rate limit of the API: <number> request waits for about <number> s, until <time>",
    ],
    "The provider keeps to `datapipes:rateLimit`, or to a pause that the server asked for. At most one line in 15 seconds says so. It counts the requests that the engine has asked for so far: the provider does not know how many resources the run has.",
  ),
  entry(
    "Looking for a pipe after a lost answer",
    [
      "create pipe <name>: <reason>; looking for the pipe in the list",
      "create pipe <name>: no response (<code>); looking for the pipe in the list",
      "create pipe <name>: no response within <number> s; looking for the pipe in the list",
      "create pipe <name>: an invalid response; looking for the pipe in the list",
      "create pipe <name>: a response with an older pipe; looking for the pipe in the list",
      "create pipe <name>: cannot read the list (<reason>); retrying",
      "create pipe <name>: the list does not have the pipe; sending the request again",
    ],
    "The answer to a create is missing. The provider looks for the pipe before it sends anything again, so that there is one pipe, not two.",
    "Wait for the end of the run. If it ends well, you need to do nothing.",
  ),
  entry(
    "Checking what an update has changed",
    [
      "update <pipe>: <reason>; checking what the API has changed",
      "update <pipe>: the API has not made all changes; sending the rest",
      "The provider cannot find out whether <pipe> was changed, because it cannot read it (<reason>).",
    ],
    "The answer to an update that must not be sent twice is missing. The provider reads the pipe and sends what is left.",
  ),
  entry(
    "Waiting for a state",
    [
      "waiting for <pipe> to become <state>: state <state> after <number> s",
      "<pipe> is Completed: it has loaded all of its data, and will not become <state> again.",
    ],
    "The pipe exists; `waitFor` asks for a state. A pipe that loads files once ends as `Completed`, which counts as success.",
  ),
];

/** Warnings of what a service has twice, or may have twice. */
export const DUPLICATES: readonly Entry[] = [
  entry(
    "A pipe of this name exists already",
    [
      "the service already has a pipe named <name> for the same table (<ids>). The new pipe runs beside it; if both load the same data, the data is loaded twice. To manage an existing one instead, set adopt to the id of that one, run `pulumi state delete <URN of the resource>` and `pulumi up`, then delete the new pipe in the service's console.",
      "the program declares pipe <name> for table <name> twice. If both load the same data, the data is loaded twice.",
    ],
    "The provider created the pipe, as the program says. It may load data that another pipe loads, too.",
    FAILED_RUN,
  ),
  entry(
    "The run is cancelled while the outcome of a request is unknown",
    [
      "<attempt>: the run is cancelled while it is unknown what the request did. The provider goes on looking in the list. If you cancel again, check in the service's console whether the pipe exists before the next `pulumi up`.",
      "update <resource>: the run is cancelled while it is unknown what the request did. The provider still reads what the API has changed. If you cancel again, run `pulumi refresh` before the next `pulumi up`.",
    ],
    "The answer to a request was lost, and you pressed Ctrl-C once. The provider finishes the look for what the request did, which takes a minute at most, and starts nothing else. A second Ctrl-C ends the plugin at once.",
  ),
  entry(
    "There may be a second pipe",
    [
      "the provider created pipe <name> (<id>) with a repeated request, and cannot read the list (<reason>). Check in the service's console whether an earlier request created a second pipe.",
      "the provider created pipe <name> (<id>) with a repeated request, and the list does not show this pipe yet. Check in the service's console whether an earlier request created a second pipe.",
      "<pipe> may be in the service twice: <ids> has the same name, source and table and was created at about the same time. If both run, the data is loaded twice. Delete it in the service's console, unless this stack or another client manages it.",
    ],
    "An answer was lost, and a pipe that looks the same is there.",
  ),
];

/** What the provider says of things that it does not change. */
export const KEPT: readonly Entry[] = [
  entry(
    "A field that is no longer declared",
    [
      "<resource>: the program no longer declares <fields>, but the API has no way to unset them. The provider sends nothing, and the values stay.",
      "<resource>: the program no longer declares <field>, but the API has no way to unset it. The provider sends nothing, and the value stays.",
      "ServiceSettings <id>: the program no longer declares <names> in endpoints, but the API has no way to unset it. The provider sends nothing, and the value stays.",
    ],
    "To change the value, declare another one.",
  ),
  entry(
    "A table mapping is replaced",
    [
      "pipe <name>: the table mapping of <table> is replaced by two requests, because the API does not remove and add a mapping of one table in the same request: the first removes it, the second adds it as declared. Between them the pipe does not replicate this table.",
      "pipe <name>: the table mapping of <table> is replaced by two requests, because the API does not remove and add a mapping of one table in the same request: the first removes it, the second adds it as declared. Between them the pipe has no table mapping. A service that requires a mapping refuses the first: then declare a mapping of another table beside it until this change is made.",
      "The first of two requests removed the table mapping of <table>, and the second did not add it as declared: the pipe does not replicate this table until `pulumi up` adds it.",
      "The first of two requests removes the only table mapping, of <table>, before the second adds it as declared. If the service requires a mapping, declare one of another table beside it until this change is made.",
    ],
    "Another target table, other columns or other keys make another mapping. The state holds what the requests have done, and the next `pulumi up` sends the rest.",
    "If the second request failed, solve what the message names, and run `pulumi up` again.",
  ),
  entry(
    "The service ignores a value",
    [
      "<resource>: <field> was sent as <value>, but the API returned <value>. The service may have ignored the value.",
      "<resource>: <field> is declared as <value>, but the API returns <value>: the service has ignored the declared value.",
      "<resource>: <field> is declared as <value>, but the API returned <value> when the provider sent it. Run `pulumi refresh` to read the current value.",
      "pipe <name>: the provider sent the settings, but could not read them back (<reason>).",
    ],
    "Some services accept a setting and do not use it. The update itself succeeded.",
    "Declare the value that the service has, or ask the operator of the service.",
  ),
  entry(
    "adopt on a resource that is in the stack",
    [
      "<resource> is in the stack already, so adopt does not take over <id>. To manage that one instead, run `pulumi state delete <URN of the resource>`, which leaves <id> unmanaged, then `pulumi up`.",
    ],
    "`adopt` takes over a pipe when the resource is created, and never later.",
  ),
  entry(
    "Adoption",
    [
      "pipe <name> adopts the existing pipe <id> as it is; the provider sends nothing.",
      "pipe <name> adopts the existing pipe <name> (<id>) and changes: <field>: <value> => <value> (the other elements stay).",
      "reverse private endpoint <name> (<id>) is not created: the program adopts the existing endpoint of this id. The API has no operation that reads endpoints, so the provider compares nothing and sends nothing.",
    ],
    "A line of the preview, which says what the adoption will do.",
  ),
  entry(
    "retain: what stays in the service",
    [
      '<pipe> keeps running and loading data: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.',
      '<resource> <still exists>: its deletionPolicy is "retain", so the provider sends nothing. Pulumi no longer manages it.',
      'service <id> stays as it is: the deletionPolicy of its settings is "retain", so the provider sends nothing.',
    ],
    'To delete it, set `deletionPolicy: "delete"` and run `pulumi up` before you remove it from the program. Now that it is out of the stack, delete it in the service\'s console, or adopt it again.',
  ),
  entry(
    "The preview shows the deletion of the old pipe wrongly",
    [
      '<resource> will be deleted before its replacement is created (deletionPolicy: "delete"), although the preview may show [retain].',
      '<resource> will not be deleted when it is replaced (deletionPolicy: "retain"), although the preview may show delete.',
    ],
    "Pulumi shows the policy in the state. The provider applies the one that the program has now.",
  ),
  entry(
    "Not deleted: in use",
    [
      "<resource> is not deleted: <another resource> of this program uses it.",
      "<resource> is not deleted: <another resource> of this program uses it, and this run leaves <another resource> out.",
    ],
    "The id belongs to another resource of the program, for example after a rename. It is safe. A run with `--target` or `--exclude` may leave that resource out.",
  ),
  entry(
    "Not deleted: the option import names another id",
    [
      "<resource> is not deleted: the option import of its resource names <id> now. It goes on as it is, and Pulumi no longer manages it. To manage it again, put <id> back into import and run `pulumi up`.",
    ],
    "Pulumi has imported the newly named pipe, and updated it as the program says. Which of the two is meant, only you know, so the provider deletes neither.",
  ),
  entry(
    "Gone already",
    [
      "<pipe> is not in the list. The provider reads the list again before it treats the pipe as deleted.",
      "the list of service <id> lacks <n> of <n> pipes of this stack. It may be incomplete, so the provider reads it for up to 60 s before it treats them as deleted.",
      "<pipe> is not in the list, but the API returns its settings: the list is incomplete. The pipe stays in the stack, unchanged.",
      "service <id> no longer exists (404), so <pipe> no longer exists either.",
      "service <id> no longer exists (404), so its entries no longer exist either.",
      "reverse private endpoint <name> (<id>): the API returned 404: it no longer exists or cannot be deleted. No operation reads endpoints: check the service's console.",
    ],
    "The service does not list the pipe, or does not know the endpoint. If another client deleted a pipe, the next `pulumi up` creates it again.",
  ),
  entry(
    "What the API cannot read",
    [
      "The API has no operation that reads reverse private endpoints. The refresh compared none of them, and the state keeps their outputs.",
      "service <id>: the API has no operation that reads the settings of a service. The refresh compared nothing, and the state keeps the last response.",
      "reverse private endpoint <name> (<id>) was created with the status <status>. Its outputs, such as dnsNames and endpointId, stay as they are now: the API has no operation that reads endpoints. Check the service's console for later values.",
    ],
    "Drift of these resources cannot be seen.",
  ),
];
