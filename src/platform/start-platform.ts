import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { createAuthenticator } from "./authentication.ts";
import { createDecrypt } from "./decryption.ts";
import {
  resolveOptions,
  type Platform,
  type PlatformOptions,
  type ResolvedOptions,
} from "./options.ts";
import { ProblemError, toProblemResponse } from "./problem.ts";
import { createSignatureCheck } from "./request-signature.ts";
import { openStore, type Store } from "./store/store.ts";
import { loadUiAssets } from "./ui-assets.ts";

/** How long requests under way may take once the platform is closing. */
const CLOSE_TIMEOUT_MILLIS = 2000;

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

async function listenOrFallBack(
  server: Server,
  { port, host, canFallBack }: ResolvedOptions,
): Promise<number> {
  try {
    return await listen(server, port, host);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (isTaken && canFallBack) return listen(server, 0, host);
    const reason = isTaken
      ? "is in use"
      : `can't be opened: ${error instanceof Error ? error.message : "unknown"}`;
    throw new Error(`platform: port ${port} on ${host} ${reason}`, { cause: error });
  }
}

function closeServer(server: Server, { clock }: ResolvedOptions): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(() => server.closeAllConnections(), CLOSE_TIMEOUT_MILLIS, true);
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

function toUrl(host: string, port: number): string {
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

async function openServer(options: ResolvedOptions, store: Store): Promise<Platform> {
  const { signingKeys, clock } = options;
  const checkSignature =
    signingKeys.size > 0 ? createSignatureCheck(signingKeys, clock) : undefined;
  const authenticator = createAuthenticator({ ...options, checkSignature });
  const decrypt = createDecrypt(options.decryptionKeys);
  const app = createApp({ options, store, authenticator, decrypt }, await loadUiAssets());
  const listener = getRequestListener(app.fetch, {
    // The platform also runs inside other people's test processes: their globals stay as they are.
    overrideGlobalObjects: false,
    errorHandler: () =>
      toProblemResponse(new ProblemError(400, "malformed_body", "the request can't be read")),
  });
  const server = createServer((request, response) => void listener(request, response));
  const port = await listenOrFallBack(server, options);
  const url = toUrl(options.host, port);
  let closing: Promise<void> | undefined;
  return {
    url,
    viewerUrl:
      authenticator.viewerToken === undefined
        ? `${url}/`
        : `${url}/#token=${authenticator.viewerToken}`,
    port,
    stats: () => store.stats(),
    close() {
      closing ??= closeServer(server, options).then(() => store.close());
      return closing;
    },
  };
}

/**
 * Starts the local platform: takes batches and agents as `{endpoint}` does, and shows them in a browser.
 *
 * Meant for development, demonstrations and tests. Listens on loopback unless told otherwise.
 *
 * @example
 * const platform = await startPlatform({ port: 0 });
 * const monitor = new AgentMonitor({ endpoint: platform.url, apiKey: "dev", organizationId: "bank" });
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const resolved = resolveOptions(options);
  const store = await openStore(resolved.database);
  try {
    return await openServer(resolved, store);
  } catch (error) {
    store.close();
    throw error;
  }
}
