import * as pulumi from "@pulumi/pulumi";
import { getPipeOutput, Pipe, Provider, ServiceSettings, type PipeArgs } from "pulumi-datapipes";

const provider = new Provider("other", { serviceId: "0a1b2c3d-0000-4000-8000-000000000002" });
const args: PipeArgs = {
  source: { kinesis: { streamName: "clicks", region: pulumi.output("eu-central-1") } },
};
const pipe = new Pipe("clicks", args, { provider });

// @ts-expect-error of a misspelt field
export const wrong: PipeArgs = { source: { kinesis: { streamname: "clicks" } } };
export const settings = new ServiceSettings("settings", { releaseChannel: "slow" });
export const state: pulumi.Output<string> = getPipeOutput({ id: pipe.id }).state;
