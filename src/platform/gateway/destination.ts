import type { OtlpFormat } from "../otlp/otlp-response.ts";
import type { SentBody } from "../read-body.ts";

/** A request whose body is passed on as it came. */
interface Passed {
  readonly request: Request;
  readonly organizationId: string;
  readonly body: SentBody;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
}

/** A batch that was checked. */
export interface PassedBatch extends Passed {
  readonly batchId: string;
  /** Whose chain it stands in; absent for a batch without a chain. */
  readonly writerId: string | undefined;
}

/** An agent's profile that was checked. */
export interface PassedAgent extends Passed {
  readonly agentId: string;
}

/** Kinds of telemetry, as their paths are called. */
export type Signal = "traces" | "logs";

/** Telemetry that was checked. */
export interface PassedTelemetry extends Passed {
  readonly signal: Signal;
  readonly format: OtlpFormat;
  /** The body decompressed. */
  readonly bytes: Buffer;
}

/**
 * The other side of a gateway.
 *
 * Each method resolves once the other side has it for good, with its answer, or `undefined` where it has none; throws a
 * problem otherwise: whoever has sent it sends it again.
 */
export interface Destination {
  sendBatch(batch: PassedBatch): Promise<Response | undefined>;
  sendAgent(agent: PassedAgent): Promise<Response | undefined>;
  sendTelemetry(telemetry: PassedTelemetry): Promise<Response | undefined>;
  /** Returns whether it would take something now. */
  probe(): Promise<boolean>;
  close(): Promise<void>;
}
