import type { Server } from "node:http";
import type { Clock } from "../util/clock.ts";

/** How long requests under way may take once the platform is closing. */
const CLOSE_TIMEOUT_MILLIS = 2000;

function tryListen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

/** How long an upload may take: one that never ends would hold its part of the room for all. */
const UPLOAD_TIMEOUT_MILLIS = 60_000;

/** Opens a port and gives its number; `canFallBack` takes a free one when it is taken. */
export async function listen(
  server: Server,
  { port, host, canFallBack }: { port: number; host: string; canFallBack: boolean },
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
    throw new Error(`platform: port ${port} on ${host} ${reason}`, { cause: error });
  }
}

/** Closes a port once the requests under way are answered, or their time is over. */
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
