import type { GatewayOptions, GatewayTls, KafkaAccess } from "../platform/index.ts";
import { ARCHIVE_HELP, runArchive } from "./gateway-archive.ts";
import { parseOptionText, readJsonFile, readOptionFile } from "./option-files.ts";
import {
  type Command,
  UsageError,
  parseArguments,
  parsePlace,
  readKeyFiles,
} from "./parse-arguments.ts";
import { lineLogger, waitForInterrupt } from "./service.ts";

/** Organizations as JSON, for a gateway that gets no file. */
const ORGANIZATIONS_VARIABLE = "AGENT_MONITOR_GATEWAY_ORGANIZATIONS";

const HELP = `Usage: agent-monitor gateway --to <address> [options]
       agent-monitor gateway archive --from <address> --to <directory|s3://bucket/prefix> [options]

Takes what the SDK and OpenTelemetry's exporters send, checks it as the platform does, keeps nothing, and answers once the
other side has it. Any number of gateways may run side by side.
archive writes what gateways have written to Kafka as objects: the bytes of each batch as they came, with their digest.

Options:
  --to <address>             base URL of a platform, or kafka://host:port,host:port/topic; batches go to that topic,
                             OpenTelemetry data to one of the same name and -otlp, split by trace; both must exist
  --listen <[host]:port>     where to listen (default 127.0.0.1:4319; other hosts need --organizations); port 0 takes a free one
  --otlp <[host]:port>       listen there as well, for OpenTelemetry's exporters; the same host
  --organizations <file>     who may send: JSON, a list of { organizationId, key or keyHash, requestsPerMinute?, bytesPerMinute? };
                             or the same in ${ORGANIZATIONS_VARIABLE}
  --to-key <file>            key with which the gateway itself delivers to a platform (default: that of each request)
  --kafka <file>             how brokers are reached: JSON, { tls: { ca, cert, key }, sasl: { mechanism, username, password } }
  --tls-cert <file>          certificate of the gateway, PEM
  --tls-key <file>           its key, PEM
  --client-ca <file>         clients need a certificate of this authority, PEM
  --key <id>=<file>          check encrypted batches with this key (repeatable); what is passed on stays encrypted
  --signing-key <id>=<file>  accept signed deliveries only, with this shared secret (repeatable)
  --help                     show this
  --version                  show the version

${ARCHIVE_HELP}
Examples:
  agent-monitor gateway --to https://monitor.bank.example
  agent-monitor gateway --listen 0.0.0.0:4319 --organizations keys.json --to kafka://kafka-1:9092,kafka-2:9092/agent-events
  agent-monitor gateway archive --from kafka://kafka-1:9092/agent-events --to archive && agent-monitor verify archive

Ends at Ctrl-C. Exit code: 0 ended, 1 it can't start, 2 wrong usage.
`;

const PARSE_OPTIONS = {
  to: { type: "string" },
  listen: { type: "string" },
  otlp: { type: "string" },
  organizations: { type: "string" },
  "to-key": { type: "string" },
  kafka: { type: "string" },
  "tls-cert": { type: "string" },
  "tls-key": { type: "string" },
  "client-ca": { type: "string" },
  key: { type: "string", multiple: true },
  "signing-key": { type: "string", multiple: true },
} as const;

type Values = ReturnType<typeof parseArguments<typeof PARSE_OPTIONS>>["values"];

function readPlaces({ listen, otlp }: Values): Pick<GatewayOptions, "host" | "otlpPort" | "port"> {
  const own = listen === undefined ? undefined : parsePlace("listen", listen);
  const other = otlp === undefined ? undefined : parsePlace("otlp", otlp);
  if (other?.host !== undefined && other.host !== own?.host)
    throw new UsageError("--otlp must have the host of --listen");
  return {
    ...(own && { port: own.port }),
    ...(own?.host !== undefined && { host: own.host }),
    ...(other && { otlpPort: other.port }),
  };
}

function readTls(values: Values): GatewayTls | undefined {
  const { "tls-cert": cert, "tls-key": key, "client-ca": ca } = values;
  if (cert === undefined && key === undefined && ca === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError("TLS needs --tls-cert and --tls-key");
  return {
    cert: readOptionFile("tls-cert", cert),
    key: readOptionFile("tls-key", key),
    ...(ca !== undefined && { ca: readOptionFile("client-ca", ca) }),
  };
}

function readOrganizations({ organizations }: Values): unknown {
  const inEnvironment = process.env[ORGANIZATIONS_VARIABLE] ?? "";
  if (organizations === undefined)
    return inEnvironment === ""
      ? undefined
      : parseOptionText(ORGANIZATIONS_VARIABLE, inEnvironment);
  if (inEnvironment === "") return readJsonFile("organizations", organizations);
  throw new UsageError(`--organizations and ${ORGANIZATIONS_VARIABLE} are both given`);
}

/** Reads options; the gateway itself checks what is in files. */
function readOptions(args: readonly string[]): GatewayOptions {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  if (positionals.length > 0)
    throw new UsageError(`gateway takes options only (got ${positionals.join(" ")})`);
  const { to, kafka, "to-key": toKey } = values;
  if (to === undefined) throw new UsageError("gateway needs --to <address>");
  const tls = readTls(values);
  const organizations = readOrganizations(values);
  return {
    to,
    ...readPlaces(values),
    ...(tls && { tls }),
    ...(toKey !== undefined && { toApiKey: readOptionFile("to-key", toKey) }),
    ...(kafka !== undefined && { kafka: readJsonFile("kafka", kafka) as KafkaAccess }),
    ...(organizations !== undefined && {
      organizations: organizations as NonNullable<GatewayOptions["organizations"]>,
    }),
    decryptionKeys: Object.fromEntries(readKeyFiles("key", values.key ?? [])),
    signingKeys: Object.fromEntries(readKeyFiles("signing-key", values["signing-key"] ?? [])),
    logger: lineLogger,
  };
}

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === "archive") return runArchive(args.slice(1));
  const options = readOptions(args);
  const { startGateway } = await import("../platform/index.ts");
  const gateway = await startGateway(options);
  // Before the address is printed: its reader may interrupt at once.
  const interrupted = waitForInterrupt();
  process.stdout.write(
    `agent-monitor gateway\n  to        ${options.to}\n  endpoint  ${gateway.url}\n  otlp      ${gateway.otlpUrl}\n`,
  );
  await interrupted;
  await gateway.close();
  return 0;
}

/** Runs a gateway until it is interrupted. */
export const gatewayCommand: Command = { help: HELP, run };
