import type { Context } from "hono";
import { type CountName, toSuccessResponse } from "../otlp/otlp-response.ts";
import {
  BODY_FACTOR,
  LOG_RECORDS,
  readOtlpFormat,
  readTelemetry,
  SPANS,
  type TelemetryKind,
} from "../otlp/read-telemetry.ts";
import { type BodyLease, openBody, readSentBody } from "../read-body.ts";
import type { Signal } from "./destination.ts";
import type { GatewayContext, PassedCounts } from "./gateway-context.ts";
import { verifySignature } from "./pass-delivery.ts";

/** How telemetry of one kind is passed on. */
interface Passing<Item> {
  readonly signal: Signal;
  readonly kind: TelemetryKind<Item>;
  readonly countName: CountName;
  readonly counted: keyof PassedCounts;
}

type Pass = (room: GatewayContext, context: Context, lease: BodyLease) => Promise<Response>;

function createPass<Item extends object>({
  signal,
  kind,
  countName,
  counted,
}: Passing<Item>): Pass {
  return async (room, { req: { raw: request } }, lease) => {
    const { access, turns, options, destination, passed } = room;
    const organizationId = access.admitTelemetry(request);
    verifySignature(room, request);
    const format = readOtlpFormat(request);
    const limits = { maxBytes: options.maxBodyBytes * BODY_FACTOR, lease };
    const body = await readSentBody(request, limits);
    access.charge(organizationId, body.sent.length);
    const { bytes } = await openBody(body, limits);
    if (body.encoding !== "identity") lease.take(body.sent.length);
    const receivedAt = options.clock.now();
    const received = await turns.take(readTelemetry({ bytes, format }, kind, receivedAt));
    const facts = { request, organizationId, body, receivedAt, signal, format, bytes };
    const answer = await destination.sendTelemetry(facts);
    if (answer && !answer.ok) return answer;
    passed[counted] += received.items.length;
    return answer ?? toSuccessResponse(format, countName, received);
  };
}

/** Passes spans on: `POST /v1/traces`. */
export const passTraces = createPass({
  signal: "traces",
  kind: SPANS,
  countName: "rejectedSpans",
  counted: "spans",
});

/** Passes log records on: `POST /v1/logs`. */
export const passLogs = createPass({
  signal: "logs",
  kind: LOG_RECORDS,
  countName: "rejectedLogRecords",
  counted: "logRecords",
});
