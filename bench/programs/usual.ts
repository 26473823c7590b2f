import * as pulumi from "@pulumi/pulumi";
import axios from "axios";
import { z } from "zod";
import { pipeArguments, readShape, type PipeArguments } from "./pipes";

// The usual provider, as Pulumi's documentation of dynamic providers describes one. Pulumi stores its closures with each resource,
// it creates its schemas where it uses them, because closures cannot capture them, and each read sends a request.

interface Inputs extends PipeArguments {
  readonly organizationId?: string;
}

const snakeCase = (settings: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const bodyOf = ({ name, source, destination, fieldMappings, scaling, settings }: Inputs) => ({
  name,
  source,
  destination,
  fieldMappings,
  scaling,
  settings: snakeCase(settings),
});

type Outputs = Inputs & { state?: string };

class PipeProvider implements pulumi.dynamic.ResourceProvider<Inputs, Outputs> {
  private pipes = "";
  private auth = { username: "", password: "" };

  async configure({ config }: pulumi.dynamic.ConfigureRequest) {
    const organization = config.require("datapipes:organizationId");
    this.pipes = `${config.require("datapipes:baseUrl")}/v1/organizations/${organization}/services`;
    this.auth = {
      username: config.require("datapipes:apiKeyId"),
      password: config.require("datapipes:apiKeySecret"),
    };
    return Promise.resolve();
  }

  check(_olds: Inputs, news: Inputs) {
    const login = z.object({ username: z.string(), password: z.string() });
    const kafka = z.object({
      brokers: z.string(),
      topics: z.string(),
      consumerGroup: z.string().optional(),
      iamRole: z.string().optional(),
      offset: z.object({ timestamp: z.string() }).optional(),
      credentials: login.optional(),
    });
    const schema = z.object({
      name: z.string(),
      serviceId: z.uuid(),
      source: z.object({ kafka }),
      destination: z.object({
        database: z.string().optional(),
        table: z.string(),
        managedTable: z.boolean().optional(),
        columns: z.array(z.object({ name: z.string(), type: z.string() })),
      }),
      fieldMappings: z.array(z.object({ sourceField: z.string(), destinationField: z.string() })),
      scaling: z.object({ replicas: z.int() }).optional(),
      settings: z.record(z.string(), z.union([z.int(), z.boolean()])),
    });
    const { error } = schema.safeParse(news);
    const failures = (error?.issues ?? []).map((issue) => ({
      property: issue.path.join("."),
      reason: issue.message,
    }));
    return Promise.resolve({ inputs: news, failures });
  }

  diff(_id: string, olds: Outputs, news: Inputs) {
    const names = ["name", "source", "destination", "fieldMappings", "scaling", "settings"] as const;
    const changed = names.filter((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name]));
    return Promise.resolve({
      changes: changed.length > 0,
      replaces: changed.filter((name) => name === "scaling"),
    });
  }

  async create(inputs: Inputs) {
    const { data } = await axios.post<{ result: { id: string; state: string } }>(
      `${this.pipes}/${inputs.serviceId}/pipes`,
      bodyOf(inputs),
      { auth: this.auth },
    );
    return { id: data.result.id, outs: { ...inputs, state: data.result.state } };
  }

  async read(id: string, props?: Outputs) {
    if (props === undefined) throw new Error("nothing is known of the pipe");
    // The API has no GET of one pipe.
    const { data } = await axios.get<{ result: { id: string; state: string }[] }>(
      `${this.pipes}/${props.serviceId}/pipes`,
      { auth: this.auth },
    );
    const pipe = data.result.find((candidate) => candidate.id === id);
    return pipe === undefined ? {} : { id, props: { ...props, state: pipe.state } };
  }

  async update(id: string, _olds: Outputs, news: Inputs) {
    const { name, fieldMappings, destination, settings } = news;
    const { iamRole, credentials } = news.source.kafka;
    const { data } = await axios.patch<{ result: { state: string } }>(
      `${this.pipes}/${news.serviceId}/pipes/${id}`,
      {
        name,
        fieldMappings,
        destination: { columns: destination.columns },
        source: { kafka: { iamRole, credentials } },
        settings: snakeCase(settings),
      },
      { auth: this.auth },
    );
    return { outs: { ...news, state: data.result.state } };
  }

  async delete(id: string, props: Outputs) {
    await axios.delete(`${this.pipes}/${props.serviceId}/pipes/${id}`, { auth: this.auth });
  }
}

class Pipe extends pulumi.dynamic.Resource {
  declare readonly state: pulumi.Output<string>;

  constructor(name: string, args: PipeArguments) {
    super(new PipeProvider(), name, { state: undefined, ...args });
  }
}

const shape = readShape();
for (let index = 0; index < shape.pipes; index += 1) new Pipe(`pipe-${index}`, pipeArguments(shape, index));
