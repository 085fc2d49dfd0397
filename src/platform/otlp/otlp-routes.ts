import type { Context } from "hono";
import type { PlatformContext } from "../platform-context.ts";
import { type BodyLease, readBody } from "../read-body.ts";
import { type CountName, toSuccessResponse } from "./otlp-response.ts";
import { BODY_FACTOR, readOtlpFormat, readTelemetry } from "./read-telemetry.ts";
import {
  STORED_LOG_RECORDS,
  STORED_SPANS,
  type StoredSignal,
  storeTelemetry,
} from "./store-telemetry.ts";

type Receive = (platform: PlatformContext, context: Context, lease: BodyLease) => Promise<Response>;

function createReceiver<Item extends object>(
  signal: StoredSignal<Item>,
  countName: CountName,
): Receive {
  return async (room, { req: { raw } }, lease) => {
    const { options, turns, authenticator } = room;
    const organizationId = authenticator.authenticateTelemetry(raw);
    const format = readOtlpFormat(raw);
    const maxBytes = options.maxBodyBytes * BODY_FACTOR;
    const { bytes } = await readBody(raw, { maxBytes, lease });
    const receivedAt = options.clock.now();
    const received = await turns.take(readTelemetry({ bytes, format }, signal.kind, receivedAt));
    await storeTelemetry(room, signal, received, { organizationId, receivedAt });
    return toSuccessResponse(format, countName, received);
  };
}

/** Receives spans: `POST /v1/traces`. */
export const receiveTraces = createReceiver(STORED_SPANS, "rejectedSpans");

/** Receives log records: `POST /v1/logs`. */
export const receiveLogs = createReceiver(STORED_LOG_RECORDS, "rejectedLogRecords");
