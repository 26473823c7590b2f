/**
 * Loads three topics, and has two kinds of tests beside it, which `npm test` runs with Jest:
 *
 * - `pipes.test.ts` tests in a second what the program declares: rules of your team, such as names of tables. Mocks take the place of
 *   Pulumi's engine, so nothing is installed, sent or stored. Mocks do not validate arguments as the provider does at preview.
 * - `pipes.integration.test.ts` tests what a service gets. It needs the Pulumi CLI on PATH, and no account: it runs the real
 *   `pulumi up` against the simulator, with its state in a temporary folder.
 *
 * To deploy the program itself, it needs the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`,
 * and as a secret `apiKeySecret`) and
 *
 *     pulumi config set --secret unit-tests:kafkaPassword     # asks for the value
 *
 * `pulumi up` then creates a pipe for each topic. `pipes.ts` declares them, so that the tests can import it; what this file exports
 * are the outputs of the stack.
 */
import { declarePipes } from "./pipes";

export const pipeIds = declarePipes().map((pipe) => pipe.id);
