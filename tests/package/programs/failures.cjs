/** Prints the stack of each failure as JSON, and how many stacks a declaration formats. */
require("ts-node").register({ skipProject: true, transpileOnly: true });
const pulumi = require("@pulumi/pulumi");
const { Pipe } = require("pulumi-datapipes");

/**
 * @param {string} name
 * @param {object} [options]
 * @param {object} [more]
 */
const pipe = (name, options, more) =>
  new Pipe(name, { source: { kafka: { brokers: "b:9092" } }, ...more }, options);

const fail = () => {
  throw new Error("no");
};

/** @param {(args: { props: object }) => unknown} transformation */
const declareWith = (transformation) => pipe("a", { transformations: [transformation] });

class Group extends pulumi.ComponentResource {
  child = pipe("", { parent: this });
}

const FAILURES = {
  "no name": () => pipe(""),
  "a parent that is no resource": () => pipe("a", { parent: {} }),
  "an argument that throws": () =>
    pipe("a", {}, Object.defineProperty({}, "name", { get: fail, enumerable: true })),
  "a property that the class has": () => pipe("a", {}, { __name: "b" }),
  "a rejected argument": () => pipe("a", {}, { name: Promise.reject(new Error("no")) }),
  "a transformation that throws": () => declareWith(fail),
  "a transformation that declares": () => declareWith(() => pipe("")),
  "a transformation that moves": () => declareWith(({ props }) => ({ props, opts: { parent: pipe("b") } })),
  "a transformation that reads a stack": () => {
    let stack;
    declareWith(() => {
      ({ stack } = new Error("read"));
    });
    throw { stack };
  },
  "a child of a component": () => new Group("t:t:T", "g"),
  "a registration that the engine refuses": () => pipe("refused"),
  "a read that the engine refuses": () => Pipe.get("refused", "id"),
  "a callback of an output": () => pipe("a").urn.apply(fail),
  "an error after the declaration": () => {
    pipe("a");
    fail();
  },
};

/** @type {(error: unknown) => void} */
let onRejection = () => undefined;
process.on("unhandledRejection", (error) => onRejection(error));

/**
 * The stack of the error that a function throws, or with which one of its promises rejects.
 * @param {() => unknown} failing
 */
async function stackOf(failing) {
  const rejected = new Promise((_resolve, reject) => {
    onRejection = reject;
  });
  try {
    failing();
    return await rejected;
  } catch (error) {
    return /** @type {Error} */ (error).stack;
  } finally {
    await new Promise(setImmediate);
  }
}

async function main() {
  const { prepareStackTrace } = Error;
  await pulumi.runtime.setMocks({
    newResource: ({ name, id }) => (name === "refused" ? fail() : { id, state: {} }),
    call: fail,
  });
  /** @type {Record<string, unknown>} */
  const stacks = {};
  for (const [name, failing] of Object.entries(FAILURES)) stacks[name] = await stackOf(failing);
  const isRestored = Error.prepareStackTrace === prepareStackTrace;
  let formatted = 0;
  Error.prepareStackTrace = (...all) => {
    formatted += 1;
    return prepareStackTrace(...all);
  };
  pipe("counted");
  console.log(JSON.stringify({ stacks, isRestored, formatted }));
  // With this code, the SDK does not report the promises of these failures.
  process.exit(3);
}

void main();
