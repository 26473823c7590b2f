import { validateResourceOfType, type ResourceValidationPolicy } from "@pulumi/policy";
import * as datapipes from "pulumi-datapipes";

const noOpenAccess: ResourceValidationPolicy = {
  name: "no-open-access",
  description: "No entry of an access list lets the whole internet in.",
  validateResource: validateResourceOfType(datapipes.ServiceSettings, ({ ipAccessList }, _, report) => {
    for (const { source } of ipAccessList ?? [])
      // A prefix of length 0 matches every address.
      if (/\/0+$/.test(source.trim())) report(`The entry ${source} of ipAccessList lets every address in.`);
  }),
};

const keepPipes: ResourceValidationPolicy = {
  name: "keep-pipes",
  description: "A pipe keeps running when the program no longer declares it, or is protected.",
  validateResource: validateResourceOfType(datapipes.Pipe, ({ deletionPolicy }, { opts }, report) => {
    if (deletionPolicy === "delete" && !opts.protect)
      report('Remove `deletionPolicy: "delete"`, or set the option `protect: true`.');
  }),
};

const THIS_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address sends its traffic unencrypted to another machine. */
function isPlainHttp(address: unknown): boolean {
  if (typeof address !== "string" || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !THIS_MACHINE.includes(hostname);
}

const noPlainHttp: ResourceValidationPolicy = {
  name: "no-plain-http",
  description: "The API and all sources are reached over https.",
  validateResource: [
    validateResourceOfType(datapipes.Pipe, ({ source: { kafka, objectStorage } }, _, report) => {
      const addresses = {
        "kafka.schemaRegistry.url": kafka?.schemaRegistry?.url,
        "objectStorage.url": objectStorage?.url,
        "objectStorage.queueUrl": objectStorage?.queueUrl,
      };
      for (const [name, address] of Object.entries(addresses))
        if (isPlainHttp(address)) report(`source.${name} must begin with https.`);
    }),
    // The default provider of a stack, and each `datapipes.Provider`.
    ({ type, props }, report) => {
      if (type === "pulumi:providers:pulumi-nodejs" && isPlainHttp(props["datapipes:baseUrl"]))
        report("datapipes:baseUrl must begin with https.");
    },
  ],
};

/** The policies of the pack. */
export const policies = [noOpenAccess, keepPipes, noPlainHttp];
