import {
  AGENTS_PATH,
  BATCH_ID_HEADER,
  BATCHES_PATH,
  CONTENT_DIGEST_HEADER,
  IDEMPOTENCY_HEADER,
  ORGANIZATION_HEADER,
  toOrganizationHeader,
} from "../../events/wire.ts";
import { toErrorName } from "../../util/logger.ts";
import type { Logger } from "../../events/utility.ts";
import { LOGS_PATH, TRACES_PATH } from "../otlp/otlp-paths.ts";
import { ProblemError } from "../problem.ts";
import type { Destination, PassedTelemetry } from "./destination.ts";

/** Longest time until the platform has answered. */
const REQUEST_MILLIS = 30_000;
const PROBE_MILLIS = 5000;

/**
 * Headers that are passed on. Signatures are not: they cover the gateway's own address, and the gateway has verified them.
 */
const REQUEST_HEADERS = [
  "accept",
  "authorization",
  "content-encoding",
  "content-type",
  "traceparent",
  "tracestate",
  "user-agent",
  BATCH_ID_HEADER,
  CONTENT_DIGEST_HEADER,
  IDEMPOTENCY_HEADER,
  ORGANIZATION_HEADER,
];

/** Headers of the answer that are passed back. */
const RESPONSE_HEADERS = ["content-type", "retry-after", "www-authenticate", "allow"];

function pick(headers: Headers, names: readonly string[]): Headers {
  const picked = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}

function unavailable(): ProblemError {
  return new ProblemError("unavailable", "the platform behind the gateway does not answer", {
    headers: { "retry-after": "5" },
  });
}

/** Where requests are passed on to. */
interface PlatformAddress {
  /** Base URL of the platform. */
  readonly url: string;
  /** Key with which the gateway itself delivers; without one that of each request is passed on. */
  readonly apiKey: string | undefined;
  readonly logger: Logger;
}

const PATHS: Readonly<Record<PassedTelemetry["signal"], string>> = {
  traces: TRACES_PATH,
  logs: LOGS_PATH,
};

/** Passes requests on to a platform, and its answers back. */
export function createPlatformDestination({ url, apiKey, logger }: PlatformAddress): Destination {
  const base = url.replace(/\/$/, "");

  const pass = async (
    request: Request,
    path: string,
    body: Buffer,
    organizationId: string,
  ): Promise<Response> => {
    const headers = pick(request.headers, REQUEST_HEADERS);
    // A stock exporter names none, and the key that does is not passed on.
    if (apiKey !== undefined) {
      headers.set("authorization", `Bearer ${apiKey}`);
      headers.set(ORGANIZATION_HEADER, toOrganizationHeader(organizationId));
    }
    try {
      const { method } = request;
      const signal = AbortSignal.timeout(REQUEST_MILLIS);
      const init = { method, headers, body: new Uint8Array(body), signal };
      const response = await fetch(`${base}${path}`, { ...init, redirect: "manual" });
      const answer = await response.arrayBuffer();
      const { status } = response;
      return new Response(answer, { status, headers: pick(response.headers, RESPONSE_HEADERS) });
    } catch (error) {
      logger.warn(`the platform can't be reached: ${toErrorName(error)}`);
      throw unavailable();
    }
  };

  return {
    sendBatch: ({ request, body, organizationId }) =>
      pass(request, BATCHES_PATH, body.sent, organizationId),
    sendAgent: ({ request, body, organizationId, agentId }) =>
      pass(request, `${AGENTS_PATH}/${encodeURIComponent(agentId)}`, body.sent, organizationId),
    sendTelemetry: ({ request, body, organizationId, signal }) =>
      pass(request, PATHS[signal], body.sent, organizationId),
    async probe() {
      try {
        const signal = AbortSignal.timeout(PROBE_MILLIS);
        const response = await fetch(`${base}/readyz`, { signal });
        await response.body?.cancel();
        return response.ok;
      } catch {
        return false;
      }
    },
    close: () => Promise.resolve(),
  };
}
