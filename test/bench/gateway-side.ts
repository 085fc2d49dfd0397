/*
 * A gateway in a process of its own, so that its CPU time is known. Without an address it discards what it has checked, which the
 * command does not offer.
 */
import { createServer } from "node:http";
import type { Destination } from "../../src/platform/gateway/destination.ts";
import { createGatewayApp } from "../../src/platform/gateway/gateway-app.ts";
import { createGatewayContext } from "../../src/platform/gateway/gateway-context.ts";
import { resolveGatewayOptions } from "../../src/platform/gateway/gateway-options.ts";
import { openKafkaDestination } from "../../src/platform/gateway/kafka-destination.ts";
import { listen, toListener, toUrl } from "../../src/platform/http-server.ts";

const [, , address = ""] = process.argv;
const discard = (): Promise<undefined> => Promise.resolve(undefined);
const DISCARDING: Destination = {
  sendBatch: discard,
  sendAgent: discard,
  sendTelemetry: discard,
  probe: () => Promise.resolve(true),
  close: () => Promise.resolve(),
};

const options = resolveGatewayOptions({ to: address || "kafka://127.0.0.1/discarded", port: 0 });
const { target, kafka: access, logger, clock } = options;
const destination =
  address !== "" && target.kind === "kafka"
    ? await openKafkaDestination({ address: target.address, access, logger, clock })
    : DISCARDING;
const app = createGatewayApp(createGatewayContext(options, destination));
const server = createServer(toListener(app));
const port = await listen(server, { host: "127.0.0.1", port: 0, canFallBack: false }, "bench");

process.stdout.write(`endpoint ${toUrl("127.0.0.1", port)}\n`);
