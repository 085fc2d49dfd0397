import { createDecrypt, type Decrypt } from "../decryption.ts";
import type { RequestCount } from "../platform-context.ts";
import { type BodyBudget, createBodyBudget } from "../read-body.ts";
import { createTurns, type Turns } from "../turns.ts";
import { type Access, createAccess } from "./access.ts";
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

/** Creates the context of a gateway, which has passed nothing on yet. */
export function createGatewayContext(
  options: ResolvedGatewayOptions,
  destination: Destination,
): GatewayContext {
  const { clock, decryptionKeys, maxPendingBodyBytes, organizations } = options;
  return {
    options,
    destination,
    access: createAccess(organizations, clock),
    turns: createTurns(),
    decrypt: createDecrypt(decryptionKeys),
    bodies: createBodyBudget(maxPendingBodyBytes),
    requests: new Map(),
    passed: { batches: 0, events: 0, rejectedEvents: 0, agents: 0, spans: 0, logRecords: 0 },
    startedAt: clock.now(),
  };
}
