import { once } from "node:events";
import { resolve } from "node:path";
import type { Logger } from "../events/utility.ts";
import type { PlatformOptions } from "../platform/index.ts";
import { ACCESS_HELP, ACCESS_OPTIONS, readAccessOptions } from "./access-options.ts";
import { parseJson } from "../util/values.ts";
import { type Command, UsageError, parseArguments, readKeyFiles } from "./parse-arguments.ts";

const HELP = `Usage: agent-monitor dev [options]

Runs the local platform: takes what the SDK and OpenTelemetry's exporters send and shows it in a browser.

Options:
  --port <number>            port to listen on; 0 takes a free one (default 4319)
  --otlp                     listen on 4318 as well, where OpenTelemetry's exporters send by default
  --otlp-port <number>       the same on another port; 0 takes a free one
  --host <address>           address to listen on (default 127.0.0.1; others need --api-key)
  --db <file>                SQLite file that keeps the data (default: in memory, lost at the end)
  --api-key <key>            accept this key only, for delivery and for reading
  --organization <id>        accept this organization only
  --key <id>=<file>          decrypt batches with this key: PEM, JWK or Base64 (repeatable)
  --signing-key <id>=<file>  accept signed deliveries only, with this shared secret (repeatable)
  --faults                   let the page of operations set faults of deliveries, for tests: 429, 503, slow, reset
  --retention <file>         remove conversations by these classes, as JSON: [{ "name", "days", "environment"?, "outcome"? }]
${ACCESS_HELP}  --help                     show this
  --version                  show the version
`;

const PARSE_OPTIONS = {
  port: { type: "string" },
  otlp: { type: "boolean" },
  "otlp-port": { type: "string" },
  host: { type: "string" },
  db: { type: "string" },
  "api-key": { type: "string" },
  organization: { type: "string" },
  key: { type: "string", multiple: true },
  "signing-key": { type: "string", multiple: true },
  ...ACCESS_OPTIONS,
  retention: { type: "string" },
  faults: { type: "boolean" },
} as const;

/** Prints a line per batch and per refused request. */
const lineLogger: Logger = {
  debug: () => undefined,
  info: (message) => void process.stdout.write(`${message}\n`),
  warn: (message) => void process.stdout.write(`${message}\n`),
  error: (message) => void process.stderr.write(`${message}\n`),
};

function parsePort(name: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--${name} must be 0 to 65535 (got ${text})`);
}

function parseOptions(args: readonly string[], otlpPort: number): PlatformOptions {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  if (positionals.length > 0)
    throw new UsageError(`dev takes options only (got ${positionals.join(" ")})`);
  const givenOtlpPort = values["otlp-port"];
  return {
    ...(values.port !== undefined && { port: parsePort("port", values.port) }),
    ...(values.otlp === true && { otlpPort }),
    ...(givenOtlpPort !== undefined && { otlpPort: parsePort("otlp-port", givenOtlpPort) }),
    ...(values.host !== undefined && { host: values.host }),
    ...(values.db !== undefined && { database: values.db }),
    ...(values["api-key"] !== undefined && { apiKey: values["api-key"] }),
    ...(values.organization !== undefined && { organizationId: values.organization }),
    decryptionKeys: Object.fromEntries(readKeyFiles("key", values.key ?? [])),
    signingKeys: Object.fromEntries(readKeyFiles("signing-key", values["signing-key"] ?? [])),
    ...readAccessOptions(values, process.env),
    ...(values.retention !== undefined && { retention: readRetention(values.retention) }),
    faults: values.faults === true,
    logger: lineLogger,
  };
}

/** Reads classes; the platform says what is wrong with them. */
function readRetention(file: string): NonNullable<PlatformOptions["retention"]> {
  const [text = ""] = readKeyFiles("retention", [`policy=${file}`]).values();
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new UsageError("--retention: expected a list as JSON");
  return value as NonNullable<PlatformOptions["retention"]>;
}

/** Describes where the data is kept: an empty list after a restart must not come as a surprise. */
function describeData(database: string | undefined): string {
  return database === undefined || database === ":memory:"
    ? "in memory, lost when this ends; keep it with --db <file>"
    : resolve(database);
}

async function waitForInterrupt(): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.race([once(process, "SIGINT", { signal }), once(process, "SIGTERM", { signal })]);
  // Restores the default handling of signals: a second one ends the process at once.
  stop.abort();
}

/** Runs the local platform until it is interrupted. */
export const devCommand: Command = {
  help: HELP,
  async run(args) {
    const { DEFAULT_PLATFORM_PORT, OTLP_PORT, startPlatform } =
      await import("../platform/index.ts");
    const options = parseOptions(args, OTLP_PORT);
    const platform = await startPlatform(options);
    if (options.port === undefined && platform.port !== DEFAULT_PLATFORM_PORT) {
      process.stdout.write(
        `port ${DEFAULT_PLATFORM_PORT} is in use: an SDK without an endpoint delivers there, not here\n`,
      );
    }
    // Before the address is printed: its reader may interrupt at once.
    const interrupted = waitForInterrupt();
    process.stdout.write(
      `agent-monitor platform\n  data      ${describeData(options.database)}\n  endpoint  ${platform.url}\n  otlp      ${platform.otlpUrl}\n  viewer    ${platform.viewerUrl}\n`,
    );
    await interrupted;
    await platform.close();
    return 0;
  },
};
