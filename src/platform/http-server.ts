import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Clock } from "../util/clock.ts";
import { ProblemError, toProblemResponse } from "./problem.ts";

/** Longest time of requests under way once the platform is closing. */
const CLOSE_TIMEOUT_MILLIS = 2000;

async function tryListen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host.replace(/^\[|\]$/g, ""));
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}

/** Longest time of an upload: one that never ends would hold its share of the budget forever. */
const UPLOAD_TIMEOUT_MILLIS = 60_000;

/** Where a server listens. */
export interface Place {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Takes a free port when this one is in use. */
  readonly canFallBack: boolean;
}

/**
 * Opens a port and returns its number.
 *
 * @param owner - Begins the message of an error.
 */
export async function listen(
  server: Server,
  { port, host, canFallBack }: Place,
  owner: string,
): Promise<number> {
  server.requestTimeout = UPLOAD_TIMEOUT_MILLIS;
  try {
    return await tryListen(server, port, host);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (isTaken && canFallBack) return tryListen(server, 0, host);
    const reason = isTaken
      ? "is in use"
      : `can't be opened: ${error instanceof Error ? error.message : "unknown"}`;
    throw new Error(`${owner}: port ${port} on ${host} ${reason}`, { cause: error });
  }
}

/** Closes a port once the requests under way are completed, or their time is over. */
export function closeServer(server: Server, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(() => server.closeAllConnections(), CLOSE_TIMEOUT_MILLIS, true);
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Writes the base URL of a port. */
export function toUrl(host: string, port: number): string {
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Lets a server of Node.js answer by an app. */
export function toListener(app: Hono): RequestListener {
  const listener = getRequestListener(app.fetch, {
    // The app also runs inside other people's test processes: their globals stay as they are.
    overrideGlobalObjects: false,
    errorHandler: () =>
      toProblemResponse(new ProblemError("malformed_body", "the request can't be read")),
  });
  return (request, response) => void listener(request, response);
}
