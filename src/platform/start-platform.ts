import { createServer, type RequestListener } from "node:http";
import { createApp } from "./app.ts";
import { createAuthenticator } from "./authentication.ts";
import { createCustomers } from "./customers/customers.ts";
import { createDecrypt } from "./decryption.ts";
import type { PlatformContext } from "./platform-context.ts";
import {
  resolveOptions,
  type Platform,
  type PlatformOptions,
  type ResolvedOptions,
} from "./options.ts";
import { toEvaluationDestination } from "./evaluations/evaluation-destination.ts";
import { createFaults } from "./faults/faults.ts";
import { createBackTests } from "./policies/back-tests.ts";
import { fillDatabase, type Filling } from "./fill-database.ts";
import { closeServer, listen, toListener, toUrl } from "./http-server.ts";
import { consumeTopics } from "./kafka/consume-topics.ts";
import { createEventMaker } from "./otlp/event-maker.ts";
import { type Destination, startMessageSender } from "./outgoing/message-sender.ts";
import { noteSampling } from "./quality/note-sampling.ts";
import { createBodyBudget } from "./read-body.ts";
import { createSignIn } from "./sign-in/sign-in.ts";
import { startPurges } from "./records/purge-schedule.ts";
import { toPurgeRoom } from "./records/record-routes.ts";
import { createSteadyTime } from "./records/steady-time.ts";
import { openDatabase } from "./store/open-database.ts";
import { describePostgres, isPostgres } from "./store/postgres/postgres-address.ts";
import { type OpenDatabase, StoreError } from "./store/sql-database.ts";
import { openPostgres } from "./store/postgres/postgres-database.ts";
import { describeMigration } from "./store/schema.ts";
import { type Store, openStore } from "./store/store.ts";
import { createTurns, type Turns } from "./turns.ts";
import { toWebhookDestination } from "./webhooks/webhook-destination.ts";
import { loadUiAssets } from "./ui-assets.ts";

/** Begins messages of errors. */
const OWNER = "platform";

/** Opens a server, and a second one for OpenTelemetry's exporters where it is configured. */
async function openServers(options: ResolvedOptions, listener: RequestListener) {
  const server = createServer(listener);
  const port = await listen(server, options, OWNER);
  if (options.otlpPort === undefined) return { servers: [server], port, otlpPort: port };
  const otlpServer = createServer(listener);
  try {
    const place = { host: options.host, port: options.otlpPort, canFallBack: false };
    const otlpPort = await listen(otlpServer, place, OWNER);
    return { servers: [server, otlpServer], port, otlpPort };
  } catch (error) {
    await closeServer(server, options.clock);
    throw error;
  }
}

/** Lists where messages go. */
function listDestinations({ webhooks, evaluations }: ResolvedOptions): readonly Destination[] {
  const hooks = webhooks.map(toWebhookDestination);
  return evaluations ? [...hooks, toEvaluationDestination(evaluations)] : hooks;
}

async function openPlatform(
  options: ResolvedOptions,
  store: Store,
  turns: Turns,
  filling: Filling | undefined,
): Promise<FilledPlatform> {
  const { clock, logger } = options;
  const signIn = createSignIn(store, options);
  const base: PlatformContext = {
    options,
    store,
    turns,
    authenticator: createAuthenticator(options, signIn.sessions),
    signIn,
    customers: options.pseudonyms && createCustomers(store.database, options.pseudonyms),
    decrypt: createDecrypt(options.decryptionKeys),
    bodies: createBodyBudget(options.maxPendingBodyBytes),
    requests: new Map(),
    startedAt: clock.now(),
    outgoing: startMessageSender({ store, destinations: listDestinations(options), clock, logger }),
    eventMaker: createEventMaker({ store, turns, clock, logger }),
    steadyTime: createSteadyTime(clock),
    faults: options.faults ? createFaults(clock) : undefined,
    backTests: createBackTests({ store, turns, clock, logger }),
  };
  const wasFilled = filling !== undefined && (await fillDatabase(base, filling));
  const consumption = options.source && (await consumeTopics(base, options.source));
  const room: PlatformContext = { ...base, consumption };
  const { servers, port, otlpPort } = await openServers(
    options,
    toListener(createApp(room, await loadUiAssets())),
  ).catch(async (error: unknown) => {
    await consumption?.close();
    throw error;
  });
  const url = toUrl(options.host, port);
  room.eventMaker.start();
  const purges = startPurges(toPurgeRoom(room), options);
  const { viewerToken } = room.authenticator;
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => closeServer(server, clock)));
    await consumption?.close();
    await purges.close();
    await room.backTests.close();
    await room.eventMaker.close();
    await room.outgoing.close();
    await store.close();
  };
  let closing: Promise<void> | undefined;
  return {
    url,
    otlpUrl: toUrl(options.host, otlpPort),
    viewerUrl: viewerToken === undefined ? `${url}/` : `${url}/#token=${viewerToken}`,
    port,
    wasFilled,
    stats: () => store.read(store.stats()),
    close: () => (closing ??= close()),
  };
}

/** A local platform that was started with a history. */
export interface FilledPlatform extends Platform {
  /** False where the database has had the same history before. */
  readonly wasFilled: boolean;
}

/** Opens the store in a database, by its name. @throws Error that says which database can't be used. */
async function openNamed(
  name: string,
  open: (database: OpenDatabase) => Promise<Store>,
): Promise<Store> {
  if (!isPostgres(name)) return open(await openDatabase(name));
  try {
    return await open(await openPostgres(name));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Error(`platform: ${describePostgres(name)}: ${error.message}`, { cause: error });
  }
}

async function start(given: PlatformOptions, filling: Filling | undefined) {
  const resolved = resolveOptions(given);
  const turns = createTurns();
  const { review: policy, auditKey, pseudonyms, clock } = resolved;
  const { webhooks, publicUrl = "" } = resolved;
  const announcing = { webhooks, publicUrl: publicUrl.replace(/\/$/, "") };
  const evaluationsUrl = resolved.evaluations?.url;
  const review = { policy, auditKey, pseudonyms, announcing, evaluationsUrl };
  const store = await openNamed(resolved.database, (database) =>
    openStore(database, turns, clock, review),
  );
  if (store.migration) resolved.logger.info(describeMigration(store.migration));
  try {
    await noteSampling(store, resolved);
    return await openPlatform(resolved, store, turns, filling);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Starts the local platform with a history in it: its ports are opened once that is stored.
 *
 * @throws Error for a database with other data: what is made up must not stand beside it.
 */
export function startFilledPlatform(
  options: PlatformOptions,
  filling: Filling,
): Promise<FilledPlatform> {
  return start(options, filling);
}

/**
 * Starts the local platform: it receives batches and agents of the SDK's `endpoint`, and data of OpenTelemetry's
 * exporters, and shows them in a browser.
 *
 * Meant for development, demonstrations and tests. Listens on loopback by default.
 *
 * @example
 * ```ts
 * const platform = await startPlatform({ port: 0 });
 * const monitor = new AgentMonitor({ endpoint: platform.url, apiKey: "dev", organizationId: "bank" });
 * ```
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { wasFilled: _, ...platform } = await start(options, undefined);
  return platform;
}
