import { compareVersions } from "../../instrumentation/known-clients.ts";
import type { Finding } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const RATIO_SAMPLER = /^(?:parentbased_)?traceidratio$/;
const OFF_SAMPLER = /^(?:parentbased_)?always_off$/;
const SAMPLER_ADVICE =
  "the bridge sees no span that is not sampled: wrap the sampler in AlwaysRecordSampler; what track* and hooks tell is not touched";

/** Returns the share of traces that the environment samples; `undefined` when it does not set one. */
function readSampledShare(environment: Environment): number | undefined {
  const sampler = environment["OTEL_TRACES_SAMPLER"]?.trim() ?? "";
  if (OFF_SAMPLER.test(sampler)) return 0;
  const given = environment["OTEL_TRACES_SAMPLER_ARG"]?.trim() ?? "";
  const share = given === "" ? 1 : Number(given);
  return RATIO_SAMPLER.test(sampler) && share >= 0 && share <= 1 ? share : undefined;
}

function checkSampler(environment: Environment): Finding[] {
  const check = "sampler";
  const share = readSampledShare(environment);
  if (share === undefined || share === 1) return [];
  const sampler = environment["OTEL_TRACES_SAMPLER"]?.trim() ?? "";
  const message =
    share === 0
      ? `OTEL_TRACES_SAMPLER=${sampler} samples every trace out`
      : `OTEL_TRACES_SAMPLER=${sampler} samples ${Number((share * 100).toPrecision(3))} % of the traces`;
  return [{ check, level: "warning", message, advice: SAMPLER_ADVICE }];
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
  const check = "node";
  if (isSupported(node)) return { check, level: "ok", message: `Node ${node}` };
  const message = `Node ${node}: expected 20.19 or newer of 20, or 22.12 or newer`;
  return { check, level: "error", message };
}

/** Checks whether the monitor can work in an environment. @param node - Version, without `v`. */
export function checkEnvironment(environment: Environment, node: string): Finding[] {
  return [checkNode(node), ...checkSampler(environment), ...checkDisabled(environment)];
}
