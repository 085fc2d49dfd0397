/*
 * A gateway in a process of its own, so that its CPU time is known. Without an address it discards what it has checked, which the
 * command does not offer.
 */
import { createServer } from "node:http";
import { createAccess } from "../../src/platform/gateway/access.ts";
import type { Destination } from "../../src/platform/gateway/destination.ts";
import { createGatewayApp } from "../../src/platform/gateway/gateway-app.ts";
import { resolveGatewayOptions } from "../../src/platform/gateway/gateway-options.ts";
import { openKafkaDestination } from "../../src/platform/gateway/kafka-destination.ts";
import { createDecrypt } from "../../src/platform/decryption.ts";
import { listen, toListener, toUrl } from "../../src/platform/http-server.ts";
import { createBodyBudget } from "../../src/platform/read-body.ts";
import { createTurns } from "../../src/platform/turns.ts";

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
const app = createGatewayApp({
  options,
  destination,
  access: createAccess(options.organizations, clock),
  turns: createTurns(),
  decrypt: createDecrypt(options.decryptionKeys),
  bodies: createBodyBudget(options.maxPendingBodyBytes),
  requests: new Map(),
  passed: { batches: 0, events: 0, rejectedEvents: 0, agents: 0, spans: 0, logRecords: 0 },
  startedAt: clock.now(),
});
const server = createServer(toListener(app));
const port = await listen(server, { host: "127.0.0.1", port: 0, canFallBack: false }, "bench");

process.stdout.write(`endpoint ${toUrl("127.0.0.1", port)}\n`);
