import { resolve } from "node:path";
import type { KafkaAccess, Platform, PlatformOptions } from "../platform/index.ts";
import { describePostgres, isPostgres } from "../platform/store/postgres/postgres-address.ts";
import { ACCESS_HELP, ACCESS_OPTIONS, readAccessOptions } from "./access-options.ts";
import { isRecord, parseJson } from "../util/values.ts";
import { readJsonFile } from "./option-files.ts";
import { openBrowser } from "./open-browser.ts";
import {
  type Command,
  UsageError,
  parseArguments,
  parseNumber,
  readKeyFiles,
} from "./parse-arguments.ts";
import { IMPORT_HELP, runImport } from "./platform-import.ts";
import { createProgress } from "./progress.ts";
import { lineLogger, waitForInterrupt } from "./service.ts";

const DEFAULT_SEED = 1;
const MAX_SEED = 2 ** 32 - 1;
const CONVERSATIONS = 2000;
const MAX_CONVERSATIONS = 20_000;
const SEEDED_ORGANIZATION = "lakeside-bank";

const toHelp = (name: string): string => `Usage: agent-monitor ${name} [options]
       agent-monitor platform import --db <file> --database <address>

Runs the local platform: takes what the SDK and OpenTelemetry's exporters send and shows it in a browser.
dev and platform mean the same: the one name is for a laptop, the other one for a service.

Options:
  --port <number>            port to listen on; 0 takes a free one (default 4319)
  --otlp                     listen on 4318 as well, where OpenTelemetry's exporters send by default
  --otlp-port <number>       the same on another port; 0 takes a free one
  --host <address>           address to listen on (default 127.0.0.1; others need --api-key)
  --db <file>                SQLite file that keeps the data (default: in memory, lost at the end)
  --database <address>       the same for a database of PostgreSQL, which replicas share: postgres://user@host/database; the
                             password is taken from PGPASSWORD or PGPASSFILE, the address from AGENT_MONITOR_DATABASE as well
  --from <address>           take what gateways have written: kafka://host:port,host:port/topic; there must be topics of that
                             name, of the same and -otlp, and of the same and -dead
  --group <name>             group of consumers that share the topics (default <topic>-platform)
  --kafka <file>             how brokers are reached: JSON, { tls: { ca, cert, key }, sasl: { mechanism, username, password } }
  --open                     open the viewer in the default browser
  --seed [number]            fill an empty database with a bank that is made up: ${CONVERSATIONS.toLocaleString("en-US")} conversations of the last
                             30 days, findings of the rules, decisions; the same number makes the same bank (default ${DEFAULT_SEED})
  --conversations <number>   so many of them instead, 1 to ${MAX_CONVERSATIONS.toLocaleString("en-US")} (with --seed)
  --organization <id>        accept this organization only
  --key <id>=<file>          decrypt batches with this key: PEM, JWK or Base64 (repeatable)
  --signing-key <id>=<file>  accept signed deliveries only, with this shared secret (repeatable)
  --faults                   let the page of operations set faults of deliveries, for tests: 429, 503, slow, reset
  --retention <file>         remove conversations by these classes, as JSON: [{ "name", "days", "environment"?, "outcome"? }]
${ACCESS_HELP}  --help                     show this
  --version                  show the version
${IMPORT_HELP}
Examples:
  agent-monitor ${name} --db platform.db --otlp    keeps the data, and takes what OpenTelemetry's exporters send
  agent-monitor ${name} --open --seed              a bank to look around in

Ends at Ctrl-C. Exit code: 0 ended, 1 it can't start, 2 wrong usage.
`;

const PARSE_OPTIONS = {
  port: { type: "string" },
  otlp: { type: "boolean" },
  "otlp-port": { type: "string" },
  host: { type: "string" },
  db: { type: "string" },
  database: { type: "string" },
  from: { type: "string" },
  group: { type: "string" },
  kafka: { type: "string" },
  open: { type: "boolean" },
  seed: { type: "string" },
  conversations: { type: "string" },
  organization: { type: "string" },
  key: { type: "string", multiple: true },
  "signing-key": { type: "string", multiple: true },
  ...ACCESS_OPTIONS,
  retention: { type: "string" },
  faults: { type: "boolean" },
} as const;

function parsePort(name: string, text: string): number {
  return parseNumber(name, text, 0, 65_535);
}

/** Writes the number behind a `--seed` that stands alone. */
function completeSeed(args: readonly string[]): readonly string[] {
  return args.map((arg, index) =>
    arg === "--seed" && !/^\d/.test(args[index + 1] ?? "") ? `--seed=${DEFAULT_SEED}` : arg,
  );
}

type Values = ReturnType<typeof parseArguments<typeof PARSE_OPTIONS>>["values"];

function readSource({ from, group, kafka }: Values): PlatformOptions {
  return {
    ...(from !== undefined && { from }),
    ...(group !== undefined && { consumerGroup: group }),
    ...(kafka !== undefined && { kafka: readJsonFile("kafka", kafka) as KafkaAccess }),
  };
}

function readDatabase(
  { db, database }: Values,
  environment: Readonly<Record<string, string | undefined>>,
): PlatformOptions {
  if (db !== undefined && database !== undefined)
    throw new UsageError("--db and --database: expected one of them");
  const given = database ?? db ?? environment["AGENT_MONITOR_DATABASE"];
  return given === undefined || given === "" ? {} : { database: given };
}

function toPlatformOptions(values: Values, otlpPort: number): PlatformOptions {
  const givenOtlpPort = values["otlp-port"];
  return {
    ...(values.port !== undefined && { port: parsePort("port", values.port) }),
    ...(values.otlp === true && { otlpPort }),
    ...(givenOtlpPort !== undefined && { otlpPort: parsePort("otlp-port", givenOtlpPort) }),
    ...(values.host !== undefined && { host: values.host }),
    ...readDatabase(values, process.env),
    ...readSource(values),
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

function parseOptions(args: readonly string[], otlpPort: number) {
  const { values, positionals } = parseArguments(completeSeed(args), PARSE_OPTIONS);
  if (positionals.length > 0)
    throw new UsageError(`this command takes options only (got ${positionals.join(" ")})`);
  const { seed, conversations = String(CONVERSATIONS) } = values;
  if (seed === undefined && values.conversations !== undefined)
    throw new UsageError("--conversations is for --seed");
  return {
    options: toPlatformOptions(values, otlpPort),
    opens: values.open === true,
    seed: seed === undefined ? undefined : parseNumber("seed", seed, 0, MAX_SEED),
    conversations: parseNumber("conversations", conversations, 1, MAX_CONVERSATIONS),
  };
}

type DevOptions = ReturnType<typeof parseOptions>;

async function start({ options, seed, conversations }: DevOptions): Promise<Platform> {
  const { startFilledPlatform, startPlatform } = await import("../platform/index.ts");
  if (seed === undefined) return startPlatform(options);
  const { createSeed } = await import("./seed/seed-bank.ts");
  const progress = createProgress(false);
  const { organizationId = SEEDED_ORGANIZATION } = options;
  const facts = { seed, conversations, organizationId, now: Date.now() };
  const filling = createSeed({ ...facts, onProgress: (...how) => progress.show(...how) });
  try {
    const platform = await startFilledPlatform(options, filling);
    const what = platform.wasFilled ? "filled with" : "has already";
    process.stdout.write(`${what} ${filling.name}\n`);
    return platform;
  } finally {
    progress.end();
  }
}

/** Returns the address where one begins: the queue, if something is to be reviewed. */
async function findFirstPage({ url, viewerUrl }: Platform, apiKey = ""): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${url}/api/reviews?limit=1`, { headers });
  const page: unknown = await response.json();
  const items = isRecord(page) ? page["items"] : undefined;
  if (!Array.isArray(items) || items.length === 0) return viewerUrl;
  return viewerUrl.includes("#") ? `${viewerUrl}/queue` : `${viewerUrl}#/queue`;
}

/** Describes where the data is kept: an empty list after a restart must not come as a surprise. */
function describeData(database: string | undefined): string {
  if (database === undefined || database === ":memory:")
    return "in memory, lost when this ends; keep it with --db <file>";
  return isPostgres(database) ? describePostgres(database) : resolve(database);
}

async function run(args: readonly string[]): Promise<number> {
  const { DEFAULT_PLATFORM_PORT, OTLP_PORT } = await import("../platform/index.ts");
  const given = parseOptions(args, OTLP_PORT);
  const { options, opens } = given;
  const platform = await start(given);
  if (options.port === undefined && platform.port !== DEFAULT_PLATFORM_PORT) {
    process.stdout.write(
      `port ${DEFAULT_PLATFORM_PORT} is in use: an SDK without an endpoint delivers there, not here\n`,
    );
  }
  // Before the address is printed: its reader may interrupt at once.
  const interrupted = waitForInterrupt();
  const address = await findFirstPage(platform, options.apiKey);
  process.stdout.write(
    `agent-monitor platform\n  data      ${describeData(options.database)}\n  endpoint  ${platform.url}\n  otlp      ${platform.otlpUrl}\n  viewer    ${address}\n`,
  );
  const problem = opens ? await openBrowser(address) : undefined;
  if (problem !== undefined)
    process.stdout.write(`the browser was not opened: ${problem}; open the viewer's address\n`);
  await interrupted;
  await platform.close();
  return 0;
}

/** Runs the local platform until it is interrupted. */
export const devCommand: Command = { help: toHelp("dev"), run };

/** The same under the name that a service has. */
export const platformCommand: Command = {
  help: toHelp("platform"),
  run: ([first, ...rest]) =>
    first === "import" ? runImport(rest) : run(first === undefined ? [] : [first, ...rest]),
};
