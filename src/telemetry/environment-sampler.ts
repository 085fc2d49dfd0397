import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from "@opentelemetry/sdk-trace-base";

const PARENT_BASED = "parentbased_";
const DEFAULT_SAMPLER = "parentbased_always_on";

function toRatio(text: string | undefined): number {
  const ratio = text?.trim() ? Number(text) : Number.NaN;
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}

function toRoot(name: string, argument: string | undefined): Sampler | undefined {
  if (name === "always_on") return new AlwaysOnSampler();
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(toRatio(argument)) : undefined;
}

/**
 * Creates the sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name, as OpenTelemetry's SDK does
 * where it is not told: it hands out none, so there would be nothing to wrap. Default: `parentbased_always_on`.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function createEnvironmentSampler(environment: NodeJS.ProcessEnv): Sampler {
  const name = (environment["OTEL_TRACES_SAMPLER"]?.trim() || DEFAULT_SAMPLER).toLowerCase();
  const isParentBased = name.startsWith(PARENT_BASED);
  const root = toRoot(
    isParentBased ? name.slice(PARENT_BASED.length) : name,
    environment["OTEL_TRACES_SAMPLER_ARG"],
  );
  if (!root) return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}
