import type { OtlpDestinationStats } from "../../src/otlp/otlp-fan-out.ts";
import type { Receiver } from "./receiver.ts";

/** How an application writes what it sends. */
export type Protocol = "http/json" | "http/protobuf";

/** Spans that each application sends, and at least as many log records. */
export const SPAN_COUNT = 20_000;

/** Where an application sends. */
export interface Destination {
  /** Base URL of the collector. */
  readonly url: string;
  readonly protocol: Protocol;
  /** Behind the collector. */
  readonly receiver: Receiver;
}

/** An application that has ended, and what it knows of what it sent. */
export interface Ended {
  /** One for each span: what makes it out. */
  readonly spans: readonly string[];
  /** One for each log record. */
  readonly records: readonly string[];
  readonly ledger?: OtlpDestinationStats | undefined;
}

/** Lets others run: an application does not do everything in one go. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
