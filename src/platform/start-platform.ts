import { createServer, type RequestListener, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { createAuthenticator } from "./authentication.ts";
import { createBodyBudget } from "./body-budget.ts";
import { createDecrypt } from "./decryption.ts";
import type { PlatformContext } from "./delivery-routes.ts";
import { closeServer, listen, toUrl } from "./listen.ts";
import type { Platform, PlatformOptions } from "./options.ts";
import { createEventMapper } from "./otlp/event-mapper.ts";
import { ProblemError, toProblemResponse } from "./problem.ts";
import { createRequestCounts } from "./request-counts.ts";
import { createSignatureCheck } from "./request-signature.ts";
import { resolveOptions, type ResolvedOptions } from "./resolve-options.ts";
import { describeMigration } from "./store/describe-migration.ts";
import { openStore, type Store } from "./store/store.ts";
import { createTurns, type Turns } from "./turns.ts";
import { loadUiAssets } from "./ui-assets.ts";

function createRoom(options: ResolvedOptions, store: Store, turns: Turns): PlatformContext {
  const { signingKeys, clock } = options;
  const checkSignature =
    signingKeys.size > 0 ? createSignatureCheck(signingKeys, clock) : undefined;
  return {
    options,
    store,
    turns,
    authenticator: createAuthenticator({ ...options, checkSignature }),
    decrypt: createDecrypt(options.decryptionKeys),
    bodies: createBodyBudget(options.maxPendingBodyBytes),
    requests: createRequestCounts(),
    startedAt: clock.now(),
    mapper: createEventMapper(store, turns, options),
  };
}

async function createListener(room: PlatformContext): Promise<RequestListener> {
  const app = createApp(room, await loadUiAssets());
  const listener = getRequestListener(app.fetch, {
    // The platform also runs inside other people's test processes: their globals stay as they are.
    overrideGlobalObjects: false,
    errorHandler: () =>
      toProblemResponse(new ProblemError(400, "malformed_body", "the request can't be read")),
  });
  return (request, response) => void listener(request, response);
}

/** A server, and one more for OpenTelemetry's exporters where it is asked for. */
interface Opened {
  readonly servers: readonly Server[];
  readonly port: number;
  readonly otlpPort: number;
}

async function openServers(options: ResolvedOptions, listener: RequestListener): Promise<Opened> {
  const { host } = options;
  const server = createServer(listener);
  const port = await listen(server, options);
  if (options.otlpPort === undefined) return { servers: [server], port, otlpPort: port };
  const otlpServer = createServer(listener);
  try {
    const otlpPort = await listen(otlpServer, {
      port: options.otlpPort,
      host,
      canFallBack: false,
    });
    return { servers: [server, otlpServer], port, otlpPort };
  } catch (error) {
    await closeServer(server, options.clock);
    throw error;
  }
}

async function openPlatform(
  options: ResolvedOptions,
  store: Store,
  turns: Turns,
): Promise<Platform> {
  const room = createRoom(options, store, turns);
  const { servers, port, otlpPort } = await openServers(options, await createListener(room));
  const url = toUrl(options.host, port);
  const { viewerToken } = room.authenticator;
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => closeServer(server, options.clock)));
    await room.mapper.close();
    await store.close();
  };
  let closing: Promise<void> | undefined;
  return {
    url,
    otlpUrl: toUrl(options.host, otlpPort),
    viewerUrl: viewerToken === undefined ? `${url}/` : `${url}/#token=${viewerToken}`,
    port,
    stats: () => store.stats(),
    close: () => (closing ??= close()),
  };
}

/**
 * Starts the local platform: takes batches and agents as the SDK's `endpoint` does, and what OpenTelemetry's exporters
 * send, and shows them in a browser.
 *
 * Meant for development, demonstrations and tests. Listens on loopback unless told otherwise.
 *
 * @example
 * ```ts
 * const platform = await startPlatform({ port: 0 });
 * const monitor = new AgentMonitor({ endpoint: platform.url, apiKey: "dev", organizationId: "bank" });
 * ```
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const resolved = resolveOptions(options);
  const turns = createTurns();
  const store = await openStore(resolved.database, turns, resolved.clock);
  if (store.migration) resolved.logger.info(describeMigration(store.migration));
  try {
    return await openPlatform(resolved, store, turns);
  } catch (error) {
    await store.close();
    throw error;
  }
}
