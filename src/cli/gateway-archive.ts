import type { ArchiveOptions, KafkaAccess, S3Access } from "../platform/index.ts";
import { readJsonFile } from "./option-files.ts";
import { UsageError, parseArguments, parsePlace } from "./parse-arguments.ts";
import { lineLogger, waitForInterrupt } from "./service.ts";

/** The part of the help that is about archives. */
export const ARCHIVE_HELP = `Options of archive:
  --from <address>           what gateways have written: kafka://host:port,host:port/topic
  --to <directory|address>   where objects go: a directory, or s3://bucket/prefix; with the bucket's object lock nothing can be
                             changed. Credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
                             and AWS_REGION
  --s3-endpoint <url>        the store, if it is not Amazon's (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL)
  --with-otlp                archive OpenTelemetry data as well, of the topic with -otlp
  --group <name>             group of consumers that share the topics (default agent-monitor-archive); not that of a platform
  --listen <[host]:port>     answer /healthz, /readyz and /metrics there (default: nowhere)
  --kafka <file>             as above
`;

const PARSE_OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  "s3-endpoint": { type: "string" },
  "with-otlp": { type: "boolean" },
  group: { type: "string" },
  listen: { type: "string" },
  kafka: { type: "string" },
} as const;

type Values = ReturnType<typeof parseArguments<typeof PARSE_OPTIONS>>["values"];

/** Returns the first variable that is set. */
function findVariable(...names: readonly string[]): string | undefined {
  return names
    .map((name) => process.env[name])
    .find((value) => value !== undefined && value !== "");
}

/** Reads how the store is reached, as other programs do. */
function readS3({ to = "", "s3-endpoint": given }: Values): S3Access | undefined {
  if (!to.startsWith("s3://")) {
    if (given === undefined) return undefined;
    throw new UsageError("--s3-endpoint is for s3://bucket/prefix, and --to names none");
  }
  const accessKeyId = findVariable("AWS_ACCESS_KEY_ID");
  const secretAccessKey = findVariable("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new UsageError("s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  const sessionToken = findVariable("AWS_SESSION_TOKEN");
  const region = findVariable("AWS_REGION", "AWS_DEFAULT_REGION");
  const endpoint = given ?? findVariable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
  };
}

function readOptions(args: readonly string[]): ArchiveOptions {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  if (positionals.length > 0)
    throw new UsageError(`gateway archive takes options only (got ${positionals.join(" ")})`);
  const { from, to, group, listen, kafka } = values;
  if (from === undefined) throw new UsageError("gateway archive needs --from <address>");
  if (to === undefined) throw new UsageError("gateway archive needs --to <directory|address>");
  const s3 = readS3(values);
  const { host, port } = listen === undefined ? {} : parsePlace("listen", listen);
  return {
    from,
    to,
    ...(s3 && { s3 }),
    ...(values["with-otlp"] === true && { withOtlp: true }),
    ...(group !== undefined && { consumerGroup: group }),
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(kafka !== undefined && { kafka: readJsonFile("kafka", kafka) as KafkaAccess }),
    logger: lineLogger,
  };
}

/** Archives what gateways have written, until it is interrupted. */
export async function runArchive(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const { startArchive } = await import("../platform/index.ts");
  const archive = await startArchive(options);
  // Before anything is printed: its reader may interrupt at once.
  const interrupted = waitForInterrupt();
  const endpoint = archive.url === undefined ? "" : `  endpoint  ${archive.url}\n`;
  process.stdout.write(
    `agent-monitor gateway archive\n  from      ${options.from}\n  to        ${options.to}\n${endpoint}`,
  );
  await interrupted;
  await archive.close();
  return 0;
}
