import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { readBuiltInPack } from "../../src/compliance/compiled/built-in.ts";
import { builtInModelText } from "../../src/compliance/learned/built-in-model-text.ts";
import { CHECKSUM_PREFIX, type EventBatch } from "../../src/events/batch.ts";
import { toChainHash } from "../../src/delivery/chain/chain.ts";

/** 2026-11-20 14:00 UTC. */
export const START = Date.UTC(2026, 10, 20, 14);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Runs with a clock that moves only when it is moved. */
export async function withFixedTime<T>(
  run: (advance: (millis: number) => void) => Promise<T>,
): Promise<T> {
  const { now } = Date;
  let time = START;
  Date.now = () => time;
  try {
    return await run((millis) => (time += millis));
  } finally {
    Date.now = now;
  }
}

/** Starts a platform that takes everything and keeps the bodies of batches. */
export async function startReceiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === "POST") bodies.push(body);
      response.writeHead(202, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Stands for the digest of the built-in rules, which any change of them changes. */
const PACK_DIGEST = "0123456789abcdef".repeat(4);
/** Stands for the digest of the model. */
const MODEL_DIGEST = "fedcba9876543210".repeat(4);

/** Replaces random ids by counted ones of the same length, and the digests of rules and model. */
export function createIdFixer(): (json: string) => string {
  const fixed = new Map<string, string>();
  return (json) =>
    json
      .replaceAll(readBuiltInPack().sha256, PACK_DIGEST)
      .replaceAll(builtInModelText().sha256, MODEL_DIGEST)
      .replaceAll(UUID, (uuid) => {
        const id =
          fixed.get(uuid) ?? `019aa1f2-0000-7000-8000-${String(fixed.size + 1).padStart(12, "0")}`;
        fixed.set(uuid, id);
        return id;
      });
}

/** Returns a batch whose ids were replaced the checksums that belong to it. */
export function toFixedBatch(body: string): EventBatch {
  const batch = JSON.parse(body) as EventBatch;
  const digest = createHash("sha256").update(JSON.stringify(batch.events)).digest("hex");
  const fixed = { ...batch, checksum: CHECKSUM_PREFIX + digest };
  const chain = fixed.metadata?.chain;
  if (!chain) throw new Error("the batch of the example has no chain");
  const hash = toChainHash({ ...fixed, chain });
  return { ...fixed, metadata: { ...fixed.metadata, chain: { ...chain, hash } } };
}
