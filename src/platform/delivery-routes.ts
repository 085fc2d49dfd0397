import type { Context } from "hono";
import type { PlatformContext } from "./platform-context.ts";
import { readAgent, verifyAgentPath } from "./read-agent.ts";
import { readJsonBody, type BodyLease } from "./read-body.ts";
import { readEnvelope } from "./read-envelope.ts";
import { storeAgent, storeBatch } from "./store-delivery.ts";

/** Receives a batch: `POST /v1/batches`. */
export async function receiveBatch(
  room: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { options, turns, authenticator, decrypt } = room;
  const { raw: request } = context.req;
  const organizationId = authenticator.authenticateDelivery(request);
  const maxBytes = options.maxBodyBytes;
  const body = await readJsonBody(request, { maxBytes, lease, turns, decrypt });
  const envelope = readEnvelope(body, request.headers, organizationId);
  const ack = await storeBatch(room, body, envelope, () => options.clock.now());
  return context.json(ack, ack.status === "duplicate" ? 200 : 202);
}

/** Receives an agent's profile: `PUT /v1/agents/{id}`. */
export async function receiveAgent(
  room: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { options, turns, authenticator } = room;
  const { raw: request, url } = context.req;
  const organizationId = authenticator.authenticateDelivery(request);
  const body = await readJsonBody(request, { maxBytes: options.maxBodyBytes, lease, turns });
  const agent = readAgent(body);
  verifyAgentPath(agent, url);
  const isNew = await storeAgent(room, organizationId, agent);
  return context.json(agent, isNew ? 201 : 200);
}
