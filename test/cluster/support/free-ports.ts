import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/*
 * Below the ports that Linux takes for outgoing connections: one of those could be in use when a killed server wants
 * it again, and a client that calls there meanwhile could be connected to itself.
 */
const FIRST = 12_000;
const BEHIND_LAST = 32_000;
const MAX_ATTEMPTS = 1000;

async function tryToListen(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return server;
  } catch {
    return undefined;
  }
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}

/**
 * Finds ports on which nobody listens, each another, for servers that are killed and come back on the same one.
 *
 * @throws when there are not as many.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  try {
    for (let attempt = 0; held.size < count; attempt++) {
      if (attempt === MAX_ATTEMPTS) throw new Error(`found ${held.size} free ports, not ${count}`);
      const port = randomInt(FIRST, BEHIND_LAST);
      const server = held.has(port) ? undefined : await tryToListen(port);
      if (server) held.set(port, server);
    }
    return [...held.keys()];
  } finally {
    await Promise.all([...held.values()].map(close));
  }
}
