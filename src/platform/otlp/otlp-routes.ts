import type { Context } from "hono";
import { countNoun } from "../../util/count-noun.ts";
import type { PlatformContext } from "../delivery-routes.ts";
import { storeUnavailable } from "../health-routes.ts";
import { ProblemError } from "../problem.ts";
import { parseJson, readBody, readMediaType, type BodyLease } from "../read-body.ts";
import { createDigester } from "../store/log-store.ts";
import type { Steps } from "../turns.ts";
import { decodeLogs } from "./decode-logs.ts";
import { decodeSpans } from "./decode-spans.ts";
import { LOGS_REQUEST, TRACE_REQUEST } from "./messages.ts";
import {
  PROTOBUF_MEDIA_TYPE,
  toOtlpFormat,
  toSuccessResponse,
  type OtlpFormat,
} from "./otlp-response.ts";
import type { Received } from "./received.ts";
import { findJsonExcess, readWireMessage, type Message } from "./wire-reader.ts";

/** Paths of OTLP/HTTP, below its base URL. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
export const TRACES_PATH = "/v1/traces";
export const LOGS_PATH = "/v1/logs";
const METRICS_PATH = "/v1/metrics";

/** Returns whether errors of a path get OTLP's form; metrics are refused, but exporters send them. */
export function isOtlpPath(path: string): boolean {
  return path === TRACES_PATH || path === LOGS_PATH || path === METRICS_PATH;
}

/**
 * How many times the bound of a batch a request may have: 20 MiB by default, the Collector's limit as well.
 *
 * Every span of a model call repeats the conversation so far, and exporters count spans, not bytes.
 */
const BODY_FACTOR = 4;

interface OtlpRequest {
  readonly format: OtlpFormat;
  readonly organizationId: string;
  readonly value: unknown;
}

function* parseBoundedJson(bytes: Buffer): Steps<unknown> {
  const excess = yield* findJsonExcess(bytes);
  if (excess === undefined) return yield* parseJson(bytes);
  throw new ProblemError(400, "malformed_body", `the body has ${excess}`);
}

async function readOtlp(
  { options, turns, authenticator, mapper }: PlatformContext,
  request: Request,
  message: Message,
  lease: BodyLease,
): Promise<OtlpRequest> {
  const organizationId = authenticator.authenticateTelemetry(request);
  // Acknowledged telemetry must become events, and earlier ones still wait for the store.
  if (mapper.isFull) throw storeUnavailable();
  const format = toOtlpFormat(readMediaType(request));
  if (!format) {
    throw new ProblemError(
      415,
      "unsupported_media_type",
      `the content type must be application/json or ${PROTOBUF_MEDIA_TYPE}`,
    );
  }
  const maxBytes = options.maxBodyBytes * BODY_FACTOR;
  const { bytes } = await readBody(request, { maxBytes, lease });
  const value = await turns.take<unknown>(
    format === "json" ? parseBoundedJson(bytes) : readWireMessage(bytes, message),
  );
  return { format, organizationId, value };
}

/** Throws a problem when all items of a request are invalid. */
function verifyAny({ items, rejected, reason }: Received<object>): void {
  if (items.length > 0 || rejected === 0) return;
  throw new ProblemError(400, "malformed_body", `nothing in the body is valid: ${reason ?? ""}`);
}

/** Items stored in one transaction; other deliveries are stored between two of them. */
const PART_SIZE = 500;

/**
 * Stores items in several transactions.
 *
 * A repeated item is recognised, so a request that was only stored in part can simply be repeated.
 */
async function storeInParts<Item>(
  items: readonly Item[],
  store: (part: readonly Item[]) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const added: Item[] = [];
  for (let first = 0; first < items.length; first += PART_SIZE)
    for (const item of await store(items.slice(first, first + PART_SIZE))) added.push(item);
  return added;
}

async function takeTraces(
  room: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = await readOtlp(room, context.req.raw, TRACE_REQUEST, lease);
  const { format, organizationId } = request;
  const { items, rejected, reason } = await room.turns.take(decodeSpans(request.value));
  verifyAny({ items, rejected, reason });
  const now = room.options.clock.now();
  const added = await storeInParts(items, (part) =>
    room.store.write(() => room.store.spans.add(part, organizationId, now)),
  );
  await room.turns.take(room.mapper.map({ spans: added, records: [], organizationId }));
  room.options.logger.info(
    `spans: ${added.length} accepted, ${countNoun(items.length - added.length, "duplicate")}, ${rejected} rejected`,
  );
  return toSuccessResponse(format, { countName: "rejectedSpans", rejected, reason });
}

/** Receives spans: `POST /v1/traces`. */
export function receiveTraces(room: PlatformContext, context: Context): Promise<Response> {
  return room.bodies.lend((lease) => takeTraces(room, context, lease));
}

async function takeLogs(
  room: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = await readOtlp(room, context.req.raw, LOGS_REQUEST, lease);
  const { format, organizationId } = request;
  const now = room.options.clock.now();
  const { items, rejected, reason } = await room.turns.take(decodeLogs(request.value, now));
  verifyAny({ items, rejected, reason });
  const toDigest = createDigester();
  const added = await storeInParts(items, (part) =>
    room.store.write(() => room.store.logs.add(part, organizationId, now, toDigest)),
  );
  await room.turns.take(room.mapper.map({ spans: [], records: added, organizationId }));
  room.options.logger.info(
    `log records: ${added.length} accepted, ${countNoun(items.length - added.length, "duplicate")}, ${rejected} rejected`,
  );
  return toSuccessResponse(format, { countName: "rejectedLogRecords", rejected, reason });
}

/** Receives log records: `POST /v1/logs`. */
export function receiveLogs(room: PlatformContext, context: Context): Promise<Response> {
  return room.bodies.lend((lease) => takeLogs(room, context, lease));
}
