import type { Damage } from "../damage";

/** The simulator, which users' own tests trust. */
export const SIMULATOR_DAMAGES: readonly Damage[] = [
  {
    name: "the simulator accepts unknown fields",
    file: "simulator/src/contract.ts",
    find: "return describeErrors(validate?.errors ?? []);",
    replace:
      'return describeErrors((validate?.errors ?? []).filter(({ keyword }) => keyword !== "additionalProperties"));',
    foundBy: ["api/simulator/rejections.test.ts", "api/simulator/access.test.ts"],
    place: /unknown|field/,
  },
  {
    name: "the simulator accepts a key with any secret",
    file: "simulator/src/account.ts",
    find: "`${account.apiKeyId}:${account.apiKeySecret}` === credential",
    replace: "credential.startsWith(`${account.apiKeyId}:`)",
    foundBy: ["api/simulator/access.test.ts"],
    place: /credential|key/,
  },
  {
    name: "the simulator's log of requests has the credential",
    file: "simulator/src/server.ts",
    find: 'headers["authorization"] = "[redacted]";',
    replace: 'headers["authorization"] += "";',
    foundBy: ["api/simulator/control.test.ts"],
    place: /credential/,
  },
  {
    name: "the simulator's page shows a secret of a fault",
    file: "simulator/src/page-state.ts",
    find: "[state, bodies, this.parts.control.faults(), value]",
    replace: "[state, bodies]",
    foundBy: ["api/simulator/page-secrets.test.ts"],
    place: /secret/,
  },
  {
    name: "the simulator's page shows a secret in base64",
    file: "simulator/src/mask.ts",
    find: "    ...base64Forms(secret),\n",
    replace: "    ...base64Forms(secret).slice(0, 0),\n",
    foundBy: ["api/simulator/page-secrets.test.ts"],
    place: /secret/,
  },
  {
    name: "a fault of the simulator ends after one request",
    file: "simulator/src/fault.ts",
    find: "if (fault.times <= 0) this.pending",
    replace: "if (fault.times <= times) this.pending",
    foundBy: ["api/simulator/faults.test.ts"],
    place: /fault/,
  },
  {
    name: "a fault of the simulator lets no request pass before",
    file: "simulator/src/fault.ts",
    find: "if (after > 0) {",
    replace: "if (after > 1) {",
    foundBy: ["api/simulator/faults.test.ts"],
    place: /fault|after/,
  },
  {
    name: "the simulator finds a pipe in every service",
    file: "simulator/src/handlers.ts",
    find: 'if (stored?.pipe.serviceId !== service.service.id)\n    throw new ApiError(404, "the service has no pipe',
    replace:
      'if (stored === undefined || service.service.id === "")\n    throw new ApiError(404, "the service has no pipe',
    foundBy: ["api/simulator/access.test.ts"],
    place: /service/,
  },
  {
    name: "the simulator returns credentials",
    file: "simulator/src/write-only.ts",
    find: "else stripped[name] = isObject(inner)",
    replace: "stripped[name] = isObject(inner)",
    foundBy: ["api/simulator/operations.test.ts"],
    place: /returns|request/,
  },
  {
    name: "the simulator answers requests of other pages in the browser",
    file: "simulator/src/loopback.ts",
    find: "if (headers.origin !== undefined && !isOwnOrigin(headers.origin, socket.localPort))",
    replace:
      "if (headers.origin !== undefined && !isOwnOrigin(`http://localhost:${socket.localPort}`, socket.localPort))",
    foundBy: ["api/simulator/access.test.ts"],
    place: /page|origin/i,
  },
  {
    name: "the simulator counts no request against the rate limit",
    file: "simulator/src/rate-limit.ts",
    find: "window.push(now);",
    replace: "",
    foundBy: ["api/simulator/access.test.ts"],
    place: /limit/,
  },
  {
    name: "the simulator lets a key use every service of its organization",
    file: "simulator/src/api.ts",
    find: "!account.serviceIds.includes(service.service.id)",
    replace: "account.serviceIds.length === 0",
    foundBy: ["api/simulator/access.test.ts"],
    place: /own objects/,
  },
];
