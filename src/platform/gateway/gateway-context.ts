import type { Decrypt } from "../decryption.ts";
import type { RequestCount } from "../platform-context.ts";
import type { BodyBudget } from "../read-body.ts";
import type { Turns } from "../turns.ts";
import type { Access } from "./access.ts";
import type { Destination } from "./destination.ts";
import type { ResolvedGatewayOptions } from "./gateway-options.ts";

/** Counts since the gateway started. */
export interface PassedCounts {
  batches: number;
  events: number;
  rejectedEvents: number;
  agents: number;
  spans: number;
  logRecords: number;
}

/** Context of every route. */
export interface GatewayContext {
  readonly options: ResolvedGatewayOptions;
  readonly access: Access;
  readonly destination: Destination;
  /** Runs long work in turns. */
  readonly turns: Turns;
  readonly decrypt: Decrypt;
  /** Bounds all request bodies together. */
  readonly bodies: BodyBudget;
  readonly requests: Map<string, RequestCount>;
  readonly passed: PassedCounts;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
}
