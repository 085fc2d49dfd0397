import type { Context } from "hono";
import { BATCH_LINES_MEDIA_TYPE, type WrappedBatch } from "../events/batch-export.ts";
import type { PlatformContext } from "./delivery-routes.ts";
import type { Query } from "./read-query.ts";
import type { ORGANIZATION_QUERY } from "./read-routes.ts";

const LINE_BREAK = "\n";

function toLine(json: Buffer): Buffer {
  if (!json.includes(LINE_BREAK)) return Buffer.concat([json, Buffer.from(LINE_BREAK)]);
  const wrapped: WrappedBatch = { base64: json.toString("base64") };
  return Buffer.from(JSON.stringify(wrapped) + LINE_BREAK);
}

/** Gives every batch as it was received, in the order of arrival, a line each: `GET /api/batches/export`. */
export function exportBatches(
  { store }: PlatformContext,
  context: Context,
  { organization: organizationId }: Query<typeof ORGANIZATION_QUERY>,
): Response {
  let after = 0;
  // One batch at a time, when the reader wants it: the whole would not fit into memory.
  const lines = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = store.bodies.findNext(after, organizationId);
        if (!next) {
          controller.close();
          return;
        }
        after = next.seq;
        controller.enqueue(toLine(next.json));
      },
    },
    { highWaterMark: 0 },
  );
  return context.body(lines, 200, { "content-type": BATCH_LINES_MEDIA_TYPE });
}
