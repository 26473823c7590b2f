import type { Described } from "../catalogue";
import { tokenOf } from "./types";

/** How a resource that exists is taken over, as the last section of its description. */
export const importSection = ({ type, noun, takeOver, isReadable }: Described): string =>
  ["## Import", ...(isReadable ? command(type, noun) : refusal(type, takeOver))].join("\n\n");

const command = (type: string, noun: string): readonly string[] => [
  `A ${noun} is imported by its ID:`,
  `\`\`\`sh\n$ pulumi import ${tokenOf(type)} example 0a1b2c3d-0000-4000-8000-0000000000c1\n\`\`\``,
  `If it is in another service than the configured one, the ID is \`<organizationId>/<serviceId>/<id>\`. The code that Pulumi writes has no credentials, which the API ` +
    `never returns: the ${noun} keeps those that it has. To take it over with other values, declare it with the argument \`adopt\` and its ID instead.`,
];

const refusal = (type: string, takeOver: string): readonly string[] => [
  `A ${type} cannot be imported, because the API cannot read it. ${takeOver}`,
];
