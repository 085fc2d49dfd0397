import type { Context } from "hono";
import type { BatchAck } from "../../events/wire.ts";
import { unauthorized } from "../credentials.ts";
import { readAgent, verifyAgentPath } from "../read-agent.ts";
import {
  type BodyLease,
  type JsonBody,
  openJson,
  readSentJson,
  type SentBody,
} from "../read-body.ts";
import { readEnvelope } from "../read-envelope.ts";
import { type ReceivedBatch, validateBatch } from "../validate-batch.ts";
import { findSignatureProblem } from "../verify-signature.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** Checks the signature of a request, where signatures are asked for. */
export function verifySignature(
  { options: { signingKeys, clock } }: GatewayContext,
  request: Request,
): void {
  if (signingKeys.size === 0) return;
  const problem = findSignatureProblem(request, signingKeys, clock.now());
  if (problem !== undefined) throw unauthorized(problem);
}

/** Reads a body that is passed on as it came: it is held until the other side has it. */
async function readPassedJson(
  room: GatewayContext,
  request: Request,
  organizationId: string,
  { lease, decrypt }: { readonly lease: BodyLease; readonly decrypt?: GatewayContext["decrypt"] },
): Promise<{ readonly body: SentBody; readonly opened: JsonBody }> {
  const { turns, options, access } = room;
  const limits = { maxBytes: options.maxBodyBytes, lease, turns, ...(decrypt && { decrypt }) };
  const body = await readSentJson(request, limits);
  access.charge(organizationId, body.sent.length);
  const opened = await openJson(body, limits);
  if (body.encoding !== "identity") lease.take(body.sent.length);
  return { body, opened };
}

/** Answers a batch that the other side has taken without an answer of its own; what it knows already is found out later. */
function toAck({ batchId, events, rejected }: ReceivedBatch): BatchAck {
  const status = rejected.length > 0 ? "partial" : "accepted";
  return { batchId, status, accepted: events.length, duplicates: 0, rejected: [...rejected] };
}

/** Passes a batch on: `POST /v1/batches`. */
export async function passBatch(
  room: GatewayContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = context.req.raw;
  const organizationId = room.access.admitDelivery(request);
  verifySignature(room, request);
  const { decrypt, turns, destination, options, passed } = room;
  const { body, opened } = await readPassedJson(room, request, organizationId, { lease, decrypt });
  const { envelope, array } = readEnvelope(opened, request.headers, organizationId);
  const batch = await turns.take(validateBatch(envelope, opened, array));
  const { batchId, metadata } = envelope;
  const writerId = metadata?.chain?.writerId;
  const receivedAt = options.clock.now();
  const facts = { request, organizationId, body, batchId, writerId, receivedAt };
  const answer = await destination.sendBatch(facts);
  if (answer && !answer.ok) return answer;
  passed.batches++;
  passed.events += batch.events.length;
  passed.rejectedEvents += batch.rejected.length;
  return answer ?? context.json(toAck(batch), 202);
}

/** Passes an agent's profile on: `PUT /v1/agents/{id}`. */
export async function passAgent(
  room: GatewayContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = context.req.raw;
  const organizationId = room.access.admitDelivery(request);
  verifySignature(room, request);
  const { body, opened } = await readPassedJson(room, request, organizationId, { lease });
  const agent = readAgent(opened);
  verifyAgentPath(agent, context.req.url);
  const receivedAt = room.options.clock.now();
  const facts = { request, organizationId, body, agentId: agent.id, receivedAt };
  const answer = await room.destination.sendAgent(facts);
  if (answer && !answer.ok) return answer;
  room.passed.agents++;
  return answer ?? context.json(agent, 200);
}
