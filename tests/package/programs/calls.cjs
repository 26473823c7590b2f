/** Calls the provider of pipes as Pulumi's plugin process does. No server answers the read. */
const { handler } = require("../../../provider/dist/runtime.js");

const uuid = "0a1b2c3d-0000-4000-8000-00000000aaaa";

/** @type {Record<string, string>} */
const settings = {
  "datapipes:apiKeyId": "id",
  "datapipes:apiKeySecret": "not-a-key",
  "datapipes:organizationId": uuid,
  "datapipes:serviceId": uuid,
  "datapipes:maxRetries": "0",
  "datapipes:baseUrl": "http://127.0.0.1:9",
};

async function main() {
  const provider = /** @type {Required<ReturnType<typeof handler>>} */ (handler("Pipe"));
  await provider.configure({
    config: { get: (key) => settings[key], require: (key) => settings[key] ?? "" },
  });
  const { failures } = await provider.check({}, { name: 5 });
  console.log(failures);
  await provider.diff(uuid, { name: "a" }, { name: "b" });
  await provider.delete(uuid, { name: "a" });
  await provider.read(uuid, { name: "a", observed: {} }).catch(({ message }) => {
    console.log(message);
  });
}

void main();
