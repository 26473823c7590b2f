// `npm run reference` makes this file from the schemas and definitions of the resources.

/** The outputs of each kind of resource. */
export const OUTPUTS = {
  Pipe: [
    "organizationId",
    "serviceId",
    "name",
    "source",
    "destination",
    "fieldMappings",
    "scaling",
    "settings",
    "adopt",
    "deletionPolicy",
    "replacementPolicy",
    "waitFor",
    "state",
    "createdAt",
    "updatedAt",
    "observed",
  ],
  ReversePrivateEndpoint: [
    "organizationId",
    "serviceId",
    "description",
    "type",
    "vpcEndpointServiceName",
    "vpcResourceConfigurationId",
    "vpcResourceShareArn",
    "mskClusterArn",
    "mskAuthentication",
    "adopt",
    "deletionPolicy",
    "replacementPolicy",
    "endpointId",
    "dnsNames",
    "privateDnsNames",
    "status",
    "observed",
  ],
  ServiceSettings: [
    "organizationId",
    "serviceId",
    "name",
    "ipAccessList",
    "privateEndpointIds",
    "releaseChannel",
    "endpoints",
    "transparentDataEncryptionKeyId",
    "exclusive",
    "deletionPolicy",
    "unmanagedIpAccessList",
    "unmanagedPrivateEndpointIds",
    "observed",
  ],
} as const;

/** How a program takes over what exists. */
export const TAKE_OVER = {
  Pipe: 'To manage an existing pipe, set the argument `adopt: "<id>"` or run `npx pulumi-datapipes import`.',
  ReversePrivateEndpoint:
    'Declare the endpoint with the argument `adopt: "<id>"`, which takes it over without a check; `npx pulumi-datapipes import` is for pipes only.',
  ServiceSettings:
    "Declare the settings without an import: ServiceSettings manages an existing service, and changes only what the program declares, unless exclusive is true.",
} as const;
