import type { Attributes } from "@opentelemetry/api";
import type { ContentPolicy, ResolvedConfig } from "../config/config.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { ATTR_DEPLOYMENT_ENVIRONMENT_NAME, ATTR_ORGANIZATION_ID } from "../semconv.ts";
import { createSignalSource } from "../telemetry/providers.ts";
import { redactAttributes, toRedactedSource } from "../telemetry/content-policy.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import type { BurstLogger } from "../util/logger.ts";
import { createOtlpProviders, toWidestPolicy, type OtlpProviders } from "./otlp-providers.ts";

const CAPTURE_CONTENT_VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/** The telemetry path and who stands at its end. */
export type TelemetryPath = ReturnType<typeof createTelemetryPath>;

export interface TelemetryPathOptions {
  readonly config: ResolvedConfig;
  readonly environment: NodeJS.ProcessEnv;
  /** Redacts where the policy is `redacted`. */
  readonly redactor: Redactor;
  /** Is called with telemetry that a destination did not get. */
  readonly log?: BurstLogger | undefined;
}

/** Returns the policy of destinations without one of their own. */
export function toContentPolicy(
  content: ContentPolicy | undefined,
  environment: NodeJS.ProcessEnv,
): ContentPolicy {
  return content ?? (/^true$/i.test(environment[CAPTURE_CONTENT_VARIABLE] ?? "") ? "full" : "none");
}

function createProviders(
  { config, redactor, log }: TelemetryPathOptions,
  content: ContentPolicy,
): OtlpProviders | undefined {
  const { otlp, tracerProvider, loggerProvider } = config;
  if (!otlp || tracerProvider || loggerProvider) return undefined;
  const attributes = {
    [ATTR_DEPLOYMENT_ENVIRONMENT_NAME]: config.environment,
    [ATTR_ORGANIZATION_ID]: config.organizationId,
  };
  return createOtlpProviders(otlp, { ...config, content, attributes, redactor, log });
}

/**
 * Creates the telemetry path under the content policies of the configuration.
 *
 * To the monitor's own destinations everything is written that one of them may see, and each one's exporter cuts it
 * down; to providers of the application only what the policy lets pass.
 */
export function createTelemetryPath(options: TelemetryPathOptions) {
  const { config, redactor } = options;
  const content = toContentPolicy(config.content, options.environment);
  const otlp = createProviders(options, content);
  const isRedacted = !otlp && content === "redacted";
  const source = createSignalSource(otlp ?? config);
  const signals = isRedacted ? toRedactedSource(source, redactor) : source;
  const widest = otlp && config.otlp ? toWidestPolicy(config.otlp, content) : content;
  const telemetry = createTelemetry({
    signals,
    content: widest,
    redact: (text) => redactor.text(text),
  });
  return {
    telemetry,
    /** The monitor's own providers, if it has destinations of its own. */
    otlp,
    /** Set when events must be redacted before they are recorded: no exporter of ours stands behind them. */
    redactor: isRedacted ? redactor : undefined,
    /** Where spans go that stand for model calls and the like. */
    signals,
    /**
     * Returns the attributes with content as such a span may carry them; absent where it may carry none. Exporters of
     * the monitor's own cut them down further.
     */
    toPublicContent:
      widest === "none"
        ? undefined
        : (full: Attributes) => (isRedacted ? redactAttributes(full, redactor) : full),
  };
}
