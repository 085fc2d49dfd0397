import { PROBLEM_MEDIA_TYPE, endpointSchema, problemSchema } from "../../events/wire.ts";
import { compareVersions } from "../../instrumentation/known-clients.ts";
import { toErrorName } from "../../util/logger.ts";
import { parseJson } from "../../util/values.ts";
import type { Finding } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const RATIO_SAMPLER = /^(?:parentbased_)?traceidratio$/;
const OFF_SAMPLER = /^(?:parentbased_)?always_off$/;
const SAMPLER_ADVICE =
  "the bridge sees no span that is not sampled: wrap the sampler in AlwaysRecordSampler; what track* and hooks tell is not touched";

/** Returns the share of traces that a sampler takes; 1 for any other. */
function readSampledShare(sampler: string, argument: string): number {
  if (OFF_SAMPLER.test(sampler)) return 0;
  const share = argument === "" ? 1 : Number(argument);
  return RATIO_SAMPLER.test(sampler) && share >= 0 && share <= 1 ? share : 1;
}

function checkSampler(environment: Environment): Finding[] {
  const sampler = environment["OTEL_TRACES_SAMPLER"]?.trim() ?? "";
  const share = readSampledShare(sampler, environment["OTEL_TRACES_SAMPLER_ARG"]?.trim() ?? "");
  if (share === 1) return [];
  const percent = Number((share * 100).toPrecision(3));
  const effect = share === 0 ? "every trace out" : `${percent} % of the traces`;
  const message = `OTEL_TRACES_SAMPLER=${sampler} samples ${effect}`;
  return [{ check: "sampler", level: "warning", message, advice: SAMPLER_ADVICE }];
}

function checkDisabled(environment: Environment): Finding[] {
  if (environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() !== "true") return [];
  const message = "OTEL_SDK_DISABLED=true: OpenTelemetry makes no spans and no log records";
  return [{ check: "opentelemetry-disabled", level: "warning", message }];
}

/** As in `engines` of the package: ^20.19.0 || >=22.12.0. */
function isSupported(node: string): boolean {
  const isFrom = (version: string): boolean => (compareVersions(node, version) ?? -1) >= 0;
  return isFrom("22.12.0") || (isFrom("20.19.0") && !isFrom("21.0.0"));
}

function checkNode(node: string): Finding {
  if (isSupported(node)) return { check: "node", level: "ok", message: `Node ${node}` };
  const message = `Node ${node}: expected 20.19 or newer of 20, or 22.12 or newer`;
  return { check: "node", level: "error", message };
}

/** Checks whether the monitor can work in an environment. @param node - Version, without `v`. */
export function checkEnvironment(environment: Environment, node: string): Finding[] {
  return [checkNode(node), ...checkSampler(environment), ...checkDisabled(environment)];
}

/** URL to check, and the timeout. */
interface EndpointCheck {
  readonly url: string;
  /** Whether the endpoint is the default. */
  readonly isDefault: boolean;
  readonly timeoutMillis: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const MAX_BODY_BYTES = 65_536;
/** `Date` has whole seconds, and the transfer takes time. */
const NOTABLE_SKEW_MILLIS = 30_000;
/** Signed batches are refused beyond this skew. */
const MAX_SKEW_MILLIS = 300_000;

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The platform refuses invalid requests with a problem document, also a GET of this path. */
async function isPlatform(response: Response): Promise<boolean> {
  const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim();
  const text = await readText(response);
  return mediaType === PROBLEM_MEDIA_TYPE && problemSchema.safeParse(parseJson(text)).success;
}

function checkClock(response: Response, sent: number, received: number): Finding[] {
  const theirs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return [];
  // The server's time lies somewhere between: only the excess is skew.
  const skew = theirs > received ? theirs - received : Math.max(0, sent - theirs);
  const check = "clock";
  if (skew < NOTABLE_SKEW_MILLIS) {
    return [{ check, level: "ok", message: "the clock agrees with the endpoint's" }];
  }
  const side = theirs > received ? "behind" : "ahead of";
  const message = `the clock is ${Math.round(skew / 1000)} s ${side} the endpoint's`;
  const advice = "set it by NTP: times of events would be wrong, and signed batches refused";
  return [{ check, level: skew > MAX_SKEW_MILLIS ? "error" : "warning", message, advice }];
}

function toReason(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === "string" ? cause.code : toErrorName(error);
}

async function ask(endpoint: string, { timeoutMillis, now }: EndpointCheck): Promise<Finding[]> {
  const check = "endpoint";
  const sent = now();
  const response = await fetch(`${endpoint.replace(/\/+$/, "")}/v1/batches`, {
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMillis),
  });
  const received = now();
  const clock = checkClock(response, sent, received);
  if (await isPlatform(response)) {
    return [{ check, level: "ok", message: `${endpoint} is an agent-monitor platform` }, ...clock];
  }
  const message = `${endpoint} answers with status ${response.status} and is not known as an agent-monitor platform`;
  return [{ check, level: "error", message, advice: "see docs/platform-api.md" }, ...clock];
}

/** Checks whether the platform can be reached, without any credentials, and whether its clock agrees. */
export async function checkEndpoint(options: EndpointCheck): Promise<Finding[]> {
  const check = "endpoint";
  const parsed = endpointSchema.safeParse(options.url);
  if (!parsed.success) {
    const message = `AGENT_MONITOR_ENDPOINT: ${parsed.error.issues[0]?.message ?? "invalid"}`;
    return [{ check, level: "error", message }];
  }
  const findings: Finding[] = [];
  if (options.isDefault) {
    const message = `no endpoint is set, events go to ${parsed.data}`;
    findings.push({ check, level: "warning", message, advice: "set AGENT_MONITOR_ENDPOINT" });
  }
  try {
    findings.push(...(await ask(parsed.data, options)));
  } catch (error) {
    const message = `${parsed.data} can't be reached (${toReason(error)})`;
    if (options.isDefault)
      findings.push({ check, level: "warning", message, advice: "npx agent-monitor dev" });
    else findings.push({ check, level: "error", message });
  }
  return findings;
}
