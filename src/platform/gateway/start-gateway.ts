import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { closeServer, listen, toListener, toUrl } from "../http-server.ts";
import type { Destination } from "./destination.ts";
import { createGatewayApp } from "./gateway-app.ts";
import { createGatewayContext } from "./gateway-context.ts";
import {
  type GatewayOptions,
  type ResolvedGatewayOptions,
  resolveGatewayOptions,
} from "./gateway-options.ts";
import { openKafkaDestination } from "./kafka-destination.ts";
import { createPlatformDestination } from "./platform-destination.ts";

/** A running gateway. */
export interface Gateway {
  /** Base URL, for the SDK's `endpoint`. */
  readonly url: string;
  /** Base URL for OpenTelemetry's exporters. */
  readonly otlpUrl: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Completes the requests under way, then closes the ports and what it has open to the other side. */
  close(): Promise<void>;
}

/** Begins messages of errors. */
const OWNER = "gateway";

async function openDestination(options: ResolvedGatewayOptions): Promise<Destination> {
  const { target, kafka: access, toApiKey: apiKey, logger, clock } = options;
  if (target.kind === "platform")
    return createPlatformDestination({ url: target.url, apiKey, logger });
  return openKafkaDestination({ address: target.address, access, logger, clock });
}

function createGatewayServer({ tls }: ResolvedGatewayOptions, listener: RequestListener): Server {
  if (!tls) return createServer(listener);
  const asks = tls.ca !== undefined && { requestCert: true, rejectUnauthorized: true };
  return createTlsServer({ ...tls, ...asks, minVersion: "TLSv1.2" }, listener);
}

/** Opens a server, and a second one for OpenTelemetry's exporters where it is configured. */
async function openServers(options: ResolvedGatewayOptions, listener: RequestListener) {
  const { host, port, otlpPort, clock } = options;
  const servers: Server[] = [];
  const open = async (wanted: number): Promise<number> => {
    const server = createGatewayServer(options, listener);
    const taken = await listen(server, { host, port: wanted, canFallBack: false }, OWNER);
    servers.push(server);
    return taken;
  };
  try {
    const own = await open(port);
    return { servers, port: own, otlpPort: otlpPort === undefined ? own : await open(otlpPort) };
  } catch (error) {
    await Promise.all(servers.map((server) => closeServer(server, clock)));
    throw error;
  }
}

async function serve(options: ResolvedGatewayOptions, destination: Destination): Promise<Gateway> {
  const { clock, host, tls } = options;
  const { servers, port, otlpPort } = await openServers(
    options,
    toListener(createGatewayApp(createGatewayContext(options, destination))),
  );
  const toBase = (number: number): string =>
    tls ? toUrl(host, number).replace("http:", "https:") : toUrl(host, number);
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => closeServer(server, clock)));
    await destination.close();
  };
  let closing: Promise<void> | undefined;
  return {
    url: toBase(port),
    otlpUrl: toBase(otlpPort),
    port,
    close: () => (closing ??= close()),
  };
}

/**
 * Starts a gateway: it takes batches, agents and OpenTelemetry data as a platform does, checks them, keeps nothing, and answers
 * once a platform or Kafka has them.
 *
 * @throws Error for options that make no sense, and for brokers that refuse the gateway or lack its topics.
 */
export async function startGateway(given: GatewayOptions): Promise<Gateway> {
  const options = resolveGatewayOptions(given);
  const destination = await openDestination(options);
  try {
    return await serve(options, destination);
  } catch (error) {
    await destination.close();
    throw error;
  }
}
