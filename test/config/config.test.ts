import { inspect } from "node:util";
import { Agent } from "node:http";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { agentMonitoringConfigSchema, DEFAULT_ENDPOINT } from "../../src/config/config.ts";
import { toBackoffMillis } from "../../src/http/retry-wait.ts";
import { toEnvironmentVariable } from "../../src/config/environment-variables.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { ValidationError } from "../../src/events/validation-error.ts";

const required = { apiKey: "key-of-the-bank", organizationId: "bank" };
const parse = (given: object, environment: NodeJS.ProcessEnv = {}) =>
  parseConfig({ ...required, ...given }, environment).config;

/** Gives the error of a configuration that must not be accepted. */
function refuse(given: unknown, environment: NodeJS.ProcessEnv = {}): ValidationError {
  try {
    parseConfig(given, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    return error as ValidationError;
  }
  throw new Error(`accepted ${inspect(given)}`);
}

/** Everything that somebody could log of an error. */
const everythingOf = (error: Error): string =>
  [
    error.message,
    error.stack,
    String(error),
    JSON.stringify(error),
    inspect(error, { depth: null, showHidden: true }),
    JSON.stringify(Object.entries(error)),
  ].join("\n");

it("gives shutdown more time by default than the default retries take", () => {
  const { shutdownTimeout, retryAttempts, retryDelay } = parseConfig(required, {}).config;
  let waits = 0;
  for (let retry = 1; retry <= retryAttempts; retry++)
    waits += toBackoffMillis(retry, retryDelay, 1);
  expect(waits).toBeGreaterThan(1000);
  expect(shutdownTimeout).toBeGreaterThan(waits);
});

describe("defaults", () => {
  it("are these", () => {
    expect(parse({})).toEqual({
      ...required,
      endpoint: "http://127.0.0.1:4319",
      environment: "production",
      batchSize: 100,
      flushInterval: 5000,
      enableComplianceChecks: true,
      enableLogging: true,
      logLevel: "info",
      retryAttempts: 3,
      retryDelay: 1000,
      maxQueueSize: 20_000,
      maxQueueBytes: 64 * 1024 * 1024,
      maxBatchBytes: 1024 * 1024,
      eventSizeLimit: 256 * 1024,
      compression: "gzip",
      requestTimeout: 10_000,
      shutdownTimeout: 10_000,
      conversationIdleTimeout: 30 * 60 * 1000,
      maxSpoolBytes: 1024 * 1024 * 1024,
      maxSpoolAge: 7 * 24 * 3_600_000,
    });
  });

  it("hold for fields that are undefined", () => {
    expect(parse({ batchSize: undefined, endpoint: undefined })).toMatchObject({
      batchSize: 100,
      endpoint: DEFAULT_ENDPOINT,
    });
  });

  it("of the endpoint are told", () => {
    expect(parseConfig(required, {}).isEndpointDefault).toBe(true);
    expect(parseConfig({ ...required, endpoint: DEFAULT_ENDPOINT }, {}).isEndpointDefault).toBe(
      false,
    );
    expect(
      parseConfig(required, { AGENT_MONITOR_ENDPOINT: DEFAULT_ENDPOINT }).isEndpointDefault,
    ).toBe(false);
  });
});

/** With every default, so that nothing is filled in. */
const JUDGE = {
  model: () => Promise.resolve("{}"),
  gate: "candidates",
  sampleRate: 0.01,
  sampleSeed: "",
  content: "redacted",
  contradictedReviewRate: 0.1,
  mode: "review",
  timeout: 30_000,
  maxConcurrency: 4,
  maxPerMinute: 300,
  dailyBudget: { requests: 20_000 },
  maxTextLength: 32_000,
  maxPending: 10_000,
};

const BOUNDS: Readonly<Record<string, { inside: unknown[]; outside: unknown[] }>> = {
  apiKey: { inside: ["k", "sk-~!@#"], outside: ["", " k", "k k", "k\n", "kéy", 5] },
  organizationId: {
    inside: ["b", "x".repeat(256), "First Bank", "bänk", "三菱"],
    outside: ["", "b\n", "\ud800", "x".repeat(257), 5],
  },
  environment: { inside: ["production", "staging", "development"], outside: ["prod", "", null] },
  batchSize: { inside: [1, 1000], outside: [0, 1001, 1.5, "10", NaN] },
  flushInterval: { inside: [100, 2 ** 31 - 1], outside: [99, 2 ** 31, Infinity, "5000"] },
  enableComplianceChecks: { inside: [true, false], outside: ["true", 1] },
  rulePacks: {
    inside: [[], ["./policy.yaml"], Array.from({ length: 20 }, () => "p")],
    outside: [[""], ["p".repeat(4097)], [5], "p", Array.from({ length: 21 }, () => "p")],
  },
  judge: {
    inside: [JUDGE, { ...JUDGE, agents: ["teller"], dailyBudget: { cost: 0.5 } }],
    outside: [
      {},
      JUDGE.model,
      null,
      { ...JUDGE, model: "gpt-5" },
      { ...JUDGE, sampleRate: 1.1 },
      { ...JUDGE, gate: "some" },
      { ...JUDGE, agents: [] },
      { ...JUDGE, dailyBudget: {} },
      { ...JUDGE, sample: 0.5 },
    ],
  },
  enableLogging: { inside: [true, false], outside: ["false", 0] },
  logLevel: { inside: ["debug", "info", "warn", "error"], outside: ["trace", "INFO"] },
  retryAttempts: { inside: [0, 10], outside: [-1, 11, 1.5] },
  retryDelay: { inside: [0, 60_000], outside: [-1, 60_001, Infinity] },
  content: { inside: ["none", "redacted", "full"], outside: ["some", true] },
  redact: {
    inside: [
      true,
      false,
      {},
      { kinds: ["card", "ssn"], key: "A".repeat(43), custom: (text: string) => text },
    ],
    outside: ["yes", null, [], { kinds: [] }, { kinds: ["face"] }, { key: "short" }, { custom: 5 }],
  },
  maxQueueSize: { inside: [1, 10_000_000], outside: [0, 10_000_001, 1.5] },
  maxQueueBytes: { inside: [1024, Number.MAX_SAFE_INTEGER], outside: [1023, 2 ** 53] },
  maxBatchBytes: { inside: [1024], outside: [1023, 2000.5] },
  eventSizeLimit: { inside: [4096, 16 * 1024 * 1024], outside: [4095, 16 * 1024 * 1024 + 1] },
  compression: { inside: ["gzip", "none"], outside: ["br", true] },
  requestTimeout: { inside: [1, 600_000], outside: [0, 600_001] },
  shutdownTimeout: { inside: [0, 600_000], outside: [-1, 600_001] },
  instrumentations: { inside: [[], ["fetch", "ai-sdk"]], outside: [["patching"], "fetch"] },
  priceTable: {
    inside: [{}, { openai: { "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 } } }],
    outside: [{ openai: { "gpt-5": { input: -1, output: 10 } } }, { openai: { "gpt-5": 3 } }, 5],
  },
  conversationIdleTimeout: { inside: [1000, 2 ** 31 - 1], outside: [999, 2 ** 31] },
  logger: {
    inside: [console, { debug() {}, info() {}, warn() {}, error() {} }],
    outside: [{}, { debug() {}, info() {}, warn() {} }, "console"],
  },
  tracerProvider: { inside: [{ getTracer() {} }], outside: [{}, null, "x"] },
  loggerProvider: { inside: [{ getLogger() {} }], outside: [{}, { getTracer() {} }] },
  agent: { inside: [new Agent()], outside: [{}, { addRequest() {} }, "http://proxy"] },
  encryption: {
    inside: [
      { enabled: false },
      { enabled: true, keyId: "k1", key: "A".repeat(43) },
      { enabled: true, algorithm: "dir", keyId: "k1", key: "A".repeat(43) },
      { enabled: true, key: { kty: "oct", k: "A".repeat(43), kid: "k1" } },
    ],
    outside: [
      {},
      "key",
      { enabled: true },
      { enabled: true, keyId: "k1", key: "A".repeat(42) },
      { enabled: true, key: "A".repeat(43) },
      { enabled: "true", keyId: "k1", key: "A".repeat(43) },
    ],
  },
  signing: {
    inside: [
      { keyId: "s1", key: "A".repeat(43) },
      { keyId: "s".repeat(256), key: "32 bytes of text are long enough." },
    ],
    outside: [
      {},
      "key",
      { keyId: "s1", key: "31 bytes of text are too short." },
      { keyId: "", key: "A".repeat(43) },
      { keyId: "s 1", key: "A".repeat(43) },
    ],
  },
  chainKey: {
    inside: [{ keyId: "c1", key: "A".repeat(43) }],
    outside: [{}, "key", { keyId: "c1", key: "short" }],
  },
  spoolDirectory: { inside: ["/var/lib/agent", "spool"], outside: ["", 5] },
  durability: { inside: ["memory"], outside: ["disk", true] },
  maxSpoolBytes: { inside: [65_536, 2 ** 40], outside: [65_535, 1.5] },
  maxSpoolAge: { inside: [60_000, 2 ** 40], outside: [59_999, "7d"] },
  spoolKey: {
    inside: ["A".repeat(43), "32 bytes of text are long enough."],
    outside: ["short", 5],
  },
  otlp: {
    inside: [
      [{ url: "https://a.example" }],
      [{ url: "https://a.example", headers: { k: "v" }, signals: ["logs"], content: "none" }],
    ],
    outside: [
      [],
      {},
      [{}],
      [{ url: "http://a.example" }],
      [{ url: "https://a.example", signals: [] }],
      [{ url: "https://a.example", content: "some" }],
    ],
  },
};

describe("durability", () => {
  it.each(["process", "power"])("%s needs a spoolDirectory", (durability) => {
    expect(refuse({ ...required, durability }).details).toEqual([
      expect.objectContaining({ field: "spoolDirectory" }),
    ]);
    expect(parse({ durability, spoolDirectory: "spool" })).toMatchObject({ durability });
  });
});

describe("bounds", () => {
  it("are tested for every field", () => {
    expect(Object.keys(agentMonitoringConfigSchema.shape).toSorted()).toEqual(
      ["endpoint", ...Object.keys(BOUNDS)].toSorted(),
    );
  });

  it.each(Object.entries(BOUNDS))("%s", (field, { inside, outside }) => {
    for (const value of inside) expect(parse({ [field]: value })).toHaveProperty(field, value);
    for (const value of outside) {
      const error = refuse({ ...required, [field]: value });
      expect(error.details[0]?.field.startsWith(field), inspect(value)).toBe(true);
      expect(error.message).toContain(`config: ${field}`);
    }
  });

  it("keep the caller's objects themselves", () => {
    const logger = new (class {
      debug(): void {}
      info(): void {}
      warn(): void {}
      error(): void {}
    })();
    const agent = new Agent();
    const config = parse({ logger, agent });
    expect(config.logger).toBe(logger);
    expect(config.agent).toBe(agent);
  });
});

describe("a value that a variable gives", () => {
  it("is refused with the name of the variable", () => {
    const { details } = refuse(required, { AGENT_MONITOR_BATCH_SIZE: "many" });
    expect(details[0]).toMatchObject({
      field: "batchSize",
      message: expect.stringContaining("(from AGENT_MONITOR_BATCH_SIZE)"),
    });
  });
});

describe("redact", () => {
  it("tells what is wrong with it, without its key", () => {
    const error = refuse({ ...required, redact: { kinds: ["hunter2"], key: "hunter2" } });
    expect(error.message).toMatch(/redact\.kinds\[0\] .*; redact\.key expected at least 32 bytes/);
    expect(everythingOf(error)).not.toContain("hunter2");
    expect(refuse({ ...required, redact: "hunter2" }).message).toMatch(
      /redact expected true, false or \{ kinds\?, key\?, custom\? \}/,
    );
  });

  it("may be an object in the environment", () => {
    expect(parse({}, { AGENT_MONITOR_REDACT: '{"kinds":["card"]}' }).redact).toEqual({
      kinds: ["card"],
    });
    expect(parse({}, { AGENT_MONITOR_REDACT: "0" }).redact).toBe(false);
  });
});

describe("the endpoint", () => {
  it.each([
    "https://platform.example",
    "https://platform.example/base/path/",
    "https://platform.example:8443",
    "http://localhost:4319",
    "http://127.0.0.1",
    "http://127.1.2.3:80",
    "http://[::1]:4319",
    "HTTPS://PLATFORM.EXAMPLE",
  ])("may be %s", (endpoint) => {
    expect(parse({ endpoint }).endpoint).toBe(endpoint);
  });

  it.each([
    "",
    "platform.example",
    "/v1",
    "ftp://platform.example",
    "file:///etc/passwd",
    "http://platform.example",
    "http://10.0.0.1",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://127.0.0.256.nip.io",
    "http://[::ffff:10.0.0.1]",
    "https://user@platform.example",
    "https://user:hunter2@platform.example",
    "https://platform.example?key=hunter2",
    "https://platform.example#hunter2",
    "https://platform.example?",
    "https://platform.example/#",
  ])("can't be %j", (endpoint) => {
    const error = refuse({ ...required, endpoint });
    expect(error.details).toEqual([
      { field: "endpoint", message: expect.stringMatching(/^expected /) as string, code: "custom" },
    ]);
    expect(everythingOf(error)).not.toContain("hunter2");
  });

  it("may have white space around it, as in a file", () => {
    expect(parse({}, { AGENT_MONITOR_ENDPOINT: " https://platform.example\n" }).endpoint).toBe(
      "https://platform.example",
    );
  });
});

describe("errors", () => {
  it("list every problem at once, with path, message, code and value", () => {
    const error = refuse({
      batchSize: 5000,
      logLevel: "trace",
      retryDelay: "soon",
      otlp: [{ url: "https://a.example" }, { url: "x" }],
    });
    expect(error.details).toEqual([
      {
        field: "apiKey",
        message: "is required (or set AGENT_MONITOR_API_KEY)",
        code: "invalid_type",
      },
      {
        field: "organizationId",
        message: "is required (or set AGENT_MONITOR_ORGANIZATION_ID)",
        code: "invalid_type",
      },
      {
        field: "batchSize",
        message: expect.stringContaining("1000") as string,
        code: "too_big",
        value: 5000,
      },
      {
        field: "logLevel",
        message: expect.stringContaining("debug") as string,
        code: "invalid_value",
        value: "trace",
      },
      {
        field: "retryDelay",
        message: expect.stringContaining("number") as string,
        code: "invalid_type",
        value: "soon",
      },
      { field: "otlp[1].url", message: "expected an absolute URL", code: "custom" },
    ]);
    expect(error).toMatchObject({ name: "ValidationError", field: "apiKey" });
    for (const { field, message } of error.details)
      expect(error.message).toContain(`${field} ${message}`);
  });

  it("say of a nested field what is wrong with it, not that it is missing", () => {
    const error = refuse({
      ...required,
      otlp: [{ url: "https://a.example", headers: { authorization: 5 } }],
    });
    expect(error.details[0]).toMatchObject({
      field: "otlp[0].headers.authorization",
      code: "invalid_type",
    });
    expect(error.message).not.toContain("AGENT_MONITOR");
  });

  it.each([null, "config", 5, () => ({})])("say that %s is no configuration", (given) => {
    expect(refuse(given).details[0]).toMatchObject({ field: "config", code: "invalid_type" });
  });

  it.each([
    ["apiKey", "hunter2 hunter2", {}],
    ["apiKey", "hunter2\n", {}],
    ["organizationId", "hunter2\nhunter2", {}],
    ["endpoint", "https://user:hunter2@platform.example", {}],
    ["endpoint", "hunter2", {}],
    [
      "otlp",
      [{ url: "https://user:hunter2@a.example", headers: { authorization: ["hunter2"] } }],
      {},
    ],
    ["otlp", "hunter2", {}],
    ["agent", { password: "hunter2" }, {}],
    ["encryption", "hunter2", {}],
    ["encryption", { enabled: true, algorithm: "hunter2", keyId: "hunter2 2", key: "hunter2" }, {}],
    ["encryption", { enabled: true, keyId: "k", key: { kty: "oct", k: "hunter2" } }, {}],
    ["signing", "hunter2", {}],
    ["signing", { keyId: "hunter2 hunter2", key: "hunter2" }, {}],
    ["redact", "hunter2", {}],
    ["redact", { key: "hunter2" }, {}],
    ["batchSize", undefined, { AGENT_MONITOR_REDACT: '{"key":"hunter2"}' }],
    ["logger", { password: "hunter2" }, {}],
    ["batchSize", undefined, { AGENT_MONITOR_API_KEY: "hunter2 hunter2" }],
    ["batchSize", undefined, { AGENT_MONITOR_OTLP: '[{"url":"https://user:hunter2@a.example"}]' }],
    ["batchSize", undefined, { AGENT_MONITOR_OTLP: "hunter2" }],
  ])("show nothing of a credential in %s: %j", (field, value, environment) => {
    const given = { ...required, batchSize: 0, [field]: value };
    if ("AGENT_MONITOR_API_KEY" in environment) Object.assign(given, { apiKey: undefined });
    expect(everythingOf(refuse(given, environment))).not.toContain("hunter2");
  });
});

it("refuses a configuration that can't be read, without what its getter says", () => {
  const given = {
    get apiKey(): string {
      throw new Error("secret");
    },
  };
  expect(refuse(given).message).toBe("config: config can't be read");
});

describe("unknown fields", () => {
  it("are named and ignored", () => {
    const { config, ignoredFields } = parseConfig(
      { ...required, batchsize: 5, constructor: 1, ["__proto__x"]: 1 },
      {},
    );
    expect(ignoredFields).toEqual([
      {
        field: "batchsize",
        message: "is unknown: did you mean batchSize?",
        code: "unrecognized_keys",
      },
      { field: "constructor", message: "is unknown", code: "unrecognized_keys" },
      { field: "__proto__x", message: "is unknown", code: "unrecognized_keys" },
    ]);
    expect(config.batchSize).toBe(100);
  });

  it("are named below the top level as well", () => {
    const otlp = [{ url: "https://otel.example", team: "cards" }];
    expect(parseConfig({ ...required, otlp }, {}).ignoredFields).toMatchObject([
      { field: "otlp[0].team", message: "is unknown" },
    ]);
  });

  const key = "0123456789abcdef0123456789abcdef";
  it.each<[string, object, NodeJS.ProcessEnv, string]>([
    ["redacted", { redacted: true }, {}, "redacted is unknown: did you mean redact?"],
    ["contents", { contents: "none" }, {}, "contents is unknown: did you mean content?"],
    ["encryptoin", { encryptoin: {} }, {}, "encryptoin is unknown: did you mean encryption?"],
    ["spoolkey", { spoolkey: key }, {}, "spoolkey is unknown: did you mean spoolKey?"],
    [
      "contnet of a destination",
      { otlp: [{ url: "https://otel.example", contnet: "redacted" }] },
      {},
      "otlp[0].contnet is unknown: did you mean content?",
    ],
    [
      "costum of redact",
      { redact: { costum: (text: string) => text } },
      {},
      "redact.costum is unknown: did you mean custom?",
    ],
    [
      "a misspelt variable",
      {},
      { AGENT_MONITOR_REDACTED: "true" },
      "AGENT_MONITOR_REDACTED is unknown: did you mean AGENT_MONITOR_REDACT?",
    ],
    [
      "the variable of a field that is no text",
      {},
      { AGENT_MONITOR_ENCRYPTION: "on" },
      "AGENT_MONITOR_ENCRYPTION is not read: encryption is set in the configuration only",
    ],
    [
      "signal of a destination",
      { otlp: [{ url: "https://otel.example", signal: ["logs"] }] },
      {},
      "otlp[0].signal is unknown: did you mean signals?",
    ],
    ...[
      ["spoolDirectoyr", "spoolDirectory"],
      ["maxSpoolByte", "maxSpoolBytes"],
      ["max_spool_age", "maxSpoolAge"],
      ["durabilty", "durability"],
      ["maxQueuSize", "maxQueueSize"],
      ["endpiont", "endpoint"],
      ["oltp", "otlp"],
      ["enviroment", "environment"],
      ["enableComplianceCheck", "enableComplianceChecks"],
      ["instrumentation", "instrumentations"],
    ].map(([given = "", known = ""]): [string, object, NodeJS.ProcessEnv, string] => [
      given,
      { [given]: "spool", enableLogging: false },
      {},
      `${given} is unknown: did you mean ${known}?`,
    ]),
    [
      "a misspelt variable of the spool",
      {},
      { AGENT_MONITOR_SPOOL_DIR: "/var/spool/agents" },
      "AGENT_MONITOR_SPOOL_DIR is unknown: did you mean AGENT_MONITOR_SPOOL_DIRECTORY?",
    ],
  ])(
    "are refused where they decide what is kept, or sent and how protected: %s",
    (_name, given, environment, text) => {
      const error = refuse({ ...required, batchSize: 0, ...given }, environment);
      expect(error.message).toContain(text);
      expect(error.details.map(({ field }) => field)).toContain("batchSize");
      expect(everythingOf(error)).not.toContain(key);
    },
  );

  it("are not told of variables that the application has read itself", () => {
    const encryption = { enabled: false };
    const environment = { AGENT_MONITOR_ENCRYPTION_KEY: key, AGENT_MONITOR_REDACT_KEY: key };
    expect(parseConfig({ ...required, encryption, redact: { key } }, environment)).toMatchObject({
      ignoredFields: [],
    });
    expect(parseConfig(required, environment).ignoredFields).toHaveLength(2);
  });

  it("are told of variables that are like one of ours, and of no others", () => {
    const environment = {
      AGENT_MONITOR_BATCHSIZE: "5",
      AGENT_MONITOR_DOCTOR: "/tmp",
      AGENT_MONITOR_TEAM: "cards",
      AGENT_MONITORING: "x",
    };
    expect(parseConfig(required, environment).ignoredFields).toEqual([
      {
        field: "AGENT_MONITOR_BATCHSIZE",
        message: "is unknown: did you mean AGENT_MONITOR_BATCH_SIZE?",
        code: "unrecognized_keys",
      },
    ]);
  });
});

describe("settings of a spool that there is not", () => {
  const key = "0123456789abcdef0123456789abcdef";

  it("are told together with what they need", () => {
    const given = { ...required, maxSpoolBytes: 1e6, spoolKey: key };
    const { ignoredFields } = parseConfig(given, { AGENT_MONITOR_MAX_SPOOL_AGE: "60000" });
    expect(ignoredFields.map(({ field, message }) => `${field} ${message}`)).toEqual([
      "maxSpoolBytes does nothing without spoolDirectory: events are kept in memory only",
      "maxSpoolAge does nothing without spoolDirectory: events are kept in memory only (from AGENT_MONITOR_MAX_SPOOL_AGE)",
      "spoolKey does nothing without spoolDirectory: events are kept in memory only",
    ]);
    expect(JSON.stringify(ignoredFields)).not.toContain(key);
  });

  it("are told where events are kept in memory although there is a directory", () => {
    const given = { ...required, durability: "memory", spoolDirectory: "spool" };
    expect(parseConfig(given, {}).ignoredFields).toMatchObject([
      { field: "spoolDirectory", message: expect.stringContaining('durability "memory"') },
    ]);
  });

  it("are told of nowhere else", () => {
    const given = { ...required, spoolDirectory: "spool", maxSpoolAge: 60_000, spoolKey: key };
    expect(parseConfig(given, {}).ignoredFields).toEqual([]);
    expect(parseConfig(required, {}).ignoredFields).toEqual([]);
  });
});

describe("environment variables", () => {
  /** Fields that nearly every text can be. */
  const FREE_TEXTS = ["apiKey", "organizationId", "spoolDirectory", "rulePacks"];
  const TEXTS: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
    apiKey: ["k", "k"],
    organizationId: ["b", "b"],
    spoolDirectory: ["/var/spool/agent", "/var/spool/agent"],
    durability: ["memory", "memory"],
    maxSpoolBytes: ["65536", 65_536],
    maxSpoolAge: ["60000", 60_000],
    spoolKey: ["A".repeat(43), "A".repeat(43)],
    endpoint: ["https://platform.example", "https://platform.example"],
    environment: ["staging", "staging"],
    batchSize: ["10", 10],
    flushInterval: ["250.5", 250.5],
    enableComplianceChecks: ["false", false],
    rulePacks: ["./a.yaml, b.yaml", ["./a.yaml", "b.yaml"]],
    enableLogging: ["0", false],
    logLevel: ["debug", "debug"],
    retryAttempts: ["0", 0],
    retryDelay: ["1e3", 1000],
    otlp: ['[{"url":"https://a.example"}]', [{ url: "https://a.example" }]],
    content: ["full", "full"],
    redact: ["true", true],
    maxQueueSize: ["5", 5],
    maxQueueBytes: ["2048", 2048],
    maxBatchBytes: ["2048", 2048],
    eventSizeLimit: ["8192", 8192],
    compression: ["none", "none"],
    requestTimeout: ["5", 5],
    shutdownTimeout: ["0", 0],
    instrumentations: ["fetch, langchain", ["fetch", "langchain"]],
    priceTable: [
      '{"openai":{"gpt-5":{"input":1,"output":2}}}',
      { openai: { "gpt-5": { input: 1, output: 2 } } },
    ],
    conversationIdleTimeout: ["60000", 60_000],
  };
  const textFields = Object.keys(agentMonitoringConfigSchema.shape).filter(
    (field) => toEnvironmentVariable(field) !== undefined,
  );

  it("exist for every field but the objects", () => {
    expect(textFields.toSorted()).toEqual(Object.keys(TEXTS).toSorted());
    for (const field of [
      "logger",
      "tracerProvider",
      "loggerProvider",
      "agent",
      "encryption",
      "signing",
      "chainKey",
    ])
      expect(toEnvironmentVariable(field)).toBeUndefined();
    expect(toEnvironmentVariable("conversationIdleTimeout")).toBe(
      "AGENT_MONITOR_CONVERSATION_IDLE_TIMEOUT",
    );
  });

  it.each(Object.entries(TEXTS))("set %s", (field, [text, value]) => {
    const environment = {
      AGENT_MONITOR_API_KEY: "k",
      AGENT_MONITOR_ORGANIZATION_ID: "b",
      [toEnvironmentVariable(field) ?? ""]: text,
    };
    expect(parseConfig({}, environment).config).toHaveProperty(field, value);
    expect(parseConfig(undefined, environment).config).toHaveProperty(field, value);
  });

  it.each(Object.keys(TEXTS))("lose to an explicit %s", (field) => {
    const [, value] = TEXTS[field] ?? [];
    const environment = { [toEnvironmentVariable(field) ?? ""]: "nonsense\n" };
    expect(parse({ [field]: value }, environment)).toHaveProperty(field, value);
  });

  it.each(Object.keys(TEXTS))("that are empty do not set %s", (field) => {
    expect(parse({}, { [toEnvironmentVariable(field) ?? ""]: "" })).toEqual(parse({}));
  });

  it.each(Object.keys(TEXTS).filter((field) => !FREE_TEXTS.includes(field)))(
    "that make no sense are told of %s",
    (field) => {
      const schema: z.ZodType | undefined = (
        agentMonitoringConfigSchema.shape as Record<string, z.ZodType>
      )[field];
      const bad = "non sense";
      expect(schema?.safeParse(bad).success).toBe(false);
      const error = refuse(required, { [toEnvironmentVariable(field) ?? ""]: bad });
      // Words of a list are told one by one.
      expect(error.details.map((detail) => detail.field.replace("[0]", ""))).toEqual([field]);
      const isSecret = ["endpoint", "otlp", "redact", "spoolKey"].includes(field);
      expect(error.details[0]?.value).toBe(isSecret ? undefined : bad);
    },
  );

  it.each([
    ["true", true],
    ["TRUE", true],
    ["1", true],
    ["False", false],
    ["0", false],
  ])("read %s as a boolean", (text, value) => {
    expect(parse({}, { AGENT_MONITOR_ENABLE_LOGGING: text }).enableLogging).toBe(value);
  });

  it.each(["yes", "on", "2", " "])("do not guess what %j means as a boolean", (text) => {
    expect(refuse(required, { AGENT_MONITOR_ENABLE_LOGGING: text }).field).toBe("enableLogging");
  });

  it.each([" ", "12abc", "NaN", "Infinity"])("do not guess what %j means as a number", (text) => {
    expect(refuse(required, { AGENT_MONITOR_BATCH_SIZE: text }).field).toBe("batchSize");
  });

  it("are those of the process unless others are given", () => {
    process.env["AGENT_MONITOR_BATCH_SIZE"] = "7";
    try {
      expect(parseConfig(required).config.batchSize).toBe(7);
    } finally {
      delete process.env["AGENT_MONITOR_BATCH_SIZE"];
    }
  });
});
