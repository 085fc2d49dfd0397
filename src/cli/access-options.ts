import type { PlatformOptions } from "../platform/index.ts";
import { parseOptionText, readJsonFile, readOptionFile } from "./option-files.ts";
import { UsageError } from "./parse-arguments.ts";

/** The key of the platform: command lines can be read by every program of a machine. */
const KEY_VARIABLE = "AGENT_MONITOR_PLATFORM_API_KEY";

/** Users as JSON, for a platform that gets no file. */
const USERS_VARIABLE = "AGENT_MONITOR_PLATFORM_USERS";

/** Where decisions are sent as evaluations, and the headers of these requests: keys are for no command line. */
const EVALUATIONS_URL_VARIABLE = "AGENT_MONITOR_PLATFORM_EVALUATIONS_URL";
const EVALUATIONS_HEADERS_VARIABLE = "AGENT_MONITOR_PLATFORM_EVALUATIONS_HEADERS";

/** Options of who may do what on a platform. */
export const ACCESS_OPTIONS = {
  "api-key": { type: "string" },
  users: { type: "string" },
  "review-policy": { type: "string" },
  "audit-key": { type: "string" },
  "pseudonym-key": { type: "string" },
  oidc: { type: "string" },
  "public-url": { type: "string" },
  webhooks: { type: "string" },
  "evaluations-url": { type: "string" },
} as const;

export const ACCESS_HELP = `  --api-key <key>            accept this key only, for delivery and for reading; or ${KEY_VARIABLE}
  --users <file>             who may read and decide: JSON, a list of { name, role, key or keyHash };
                             or the same in ${USERS_VARIABLE}
  --oidc <file>              identity provider with which people sign in, JSON
  --public-url <address>     address under which people open the viewer, behind a proxy
  --webhooks <file>          receivers that are told of violations, escalations, overdue items and losses, JSON
  --evaluations-url <url>    send decisions as OTLP log records to this address, .../v1/logs;
                             or ${EVALUATIONS_URL_VARIABLE}, and headers, name=value,...,
                             in ${EVALUATIONS_HEADERS_VARIABLE}
  --review-policy <file>     rules of the review, JSON
  --audit-key <file>         shared secret of the audit trail
  --pseudonym-key <file>     show customers under pseudonyms, made with this shared secret
`;

type AccessValues = { readonly [Name in keyof typeof ACCESS_OPTIONS]?: string };

/** Reads shared secrets, each from its file. */
function readSecrets(values: AccessValues): PlatformOptions {
  const auditKey = values["audit-key"];
  const pseudonymKey = values["pseudonym-key"];
  return {
    ...(auditKey !== undefined && { auditKey: readOptionFile("audit-key", auditKey) }),
    ...(pseudonymKey !== undefined && {
      pseudonymKey: readOptionFile("pseudonym-key", pseudonymKey),
    }),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads headers as OpenTelemetry's variables have them. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
function readHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at === -1)
        throw new UsageError(`${EVALUATIONS_HEADERS_VARIABLE}: expected name=value,...`);
      return [pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())];
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`${EVALUATIONS_HEADERS_VARIABLE}: expected % only before two hex digits`);
  }
}

function readEvaluations(given: string | undefined, environment: Environment): PlatformOptions {
  const url = given ?? environment[EVALUATIONS_URL_VARIABLE] ?? "";
  const headers = environment[EVALUATIONS_HEADERS_VARIABLE] ?? "";
  if (url === "") return {};
  return { evaluations: { url, ...(headers !== "" && { headers: readHeaders(headers) }) } };
}

function readPlatformKey(given: string | undefined, environment: Environment): PlatformOptions {
  const inEnvironment = environment[KEY_VARIABLE];
  if (given !== undefined && inEnvironment !== undefined)
    throw new UsageError(`--api-key and ${KEY_VARIABLE} are both given`);
  const apiKey = given ?? inEnvironment;
  return apiKey === undefined ? {} : { apiKey };
}

/** Reads who may do what. The platform itself checks what it gets. */
export function readAccessOptions(values: AccessValues, environment: Environment): PlatformOptions {
  const inEnvironment = environment[USERS_VARIABLE];
  if (values.users !== undefined && inEnvironment !== undefined)
    throw new UsageError(`--users and ${USERS_VARIABLE} are both given`);
  const users =
    values.users === undefined
      ? inEnvironment && parseOptionText(USERS_VARIABLE, inEnvironment)
      : readJsonFile("users", values.users);
  const policy = values["review-policy"];
  return {
    ...readPlatformKey(values["api-key"], environment),
    ...(users !== undefined && users !== "" && { users: users as PlatformOptions["users"] }),
    ...(policy !== undefined && { review: readJsonFile("review-policy", policy) as object }),
    ...(values.oidc !== undefined && { oidc: readJsonFile("oidc", values.oidc) }),
    ...(values["public-url"] !== undefined && { publicUrl: values["public-url"] }),
    ...(values.webhooks !== undefined && { webhooks: readJsonFile("webhooks", values.webhooks) }),
    ...readEvaluations(values["evaluations-url"], environment),
    ...readSecrets(values),
  } as PlatformOptions;
}
