import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchAckSchema, PROBLEM_MEDIA_TYPE, problemSchema } from "../../src/events/wire.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createBatch, createEvent, get, postBatch, START, type Answer } from "./helpers.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, maxBodyBytes: 200_000 });
});
afterAll(() => platform.close());

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.headers.get("content-type")).toBe(PROBLEM_MEDIA_TYPE);
  expect(problemSchema.parse(answer.body)).toMatchObject({ status, code });
  expect(answer.status).toBe(status);
}

function digest(bytes: Buffer): string {
  return `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;
}

describe("a valid batch", () => {
  it("is accepted, plain and compressed, with every kind of event", async () => {
    const kinds = [
      "conversation_start",
      "user_message",
      "tool_call",
      "tool_result",
      "agent_response",
      "error",
      "compliance_violation",
      "conversation_end",
    ];
    for (const gzip of [false, true]) {
      const batch = createBatch(kinds.map((kind) => createEvent(kind)));
      const answer = await postBatch(platform, batch, { gzip });
      expect(answer.status).toBe(202);
      expect(batchAckSchema.parse(answer.body)).toEqual({
        batchId: batch["batchId"],
        status: "accepted",
        accepted: kinds.length,
        duplicates: 0,
        rejected: [],
      });
    }
  });

  it("answers its repetition with the original counts, also when compressed this time", async () => {
    const batch = createBatch([createEvent(), createEvent()]);
    const before = await platform.stats();
    await postBatch(platform, batch);
    const again = await postBatch(platform, batch, { gzip: true });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      status: "duplicate",
      accepted: 2,
      duplicates: 0,
      rejected: [],
    });
    const { batches, events, duplicates } = await platform.stats();
    expect({ batches, events, duplicates }).toEqual({
      batches: before.batches + 1,
      events: before.events + 2,
      duplicates: before.duplicates + 2,
    });
  });

  it("conflicts with another batch under its id", async () => {
    const batch = createBatch();
    await postBatch(platform, batch);
    expectProblem(
      await postBatch(platform, createBatch([createEvent()], { batchId: batch["batchId"] })),
      409,
      "batch_conflict",
    );
  });

  it("may have the same id in another organization", async () => {
    const batch = createBatch();
    await postBatch(platform, batch);
    const other = await postBatch(
      platform,
      { ...batch, organizationId: "second-bank" },
      { organizationId: "second-bank" },
    );
    expect(other.body).toMatchObject({ status: "accepted", accepted: 1 });
  });

  it("does not store an event twice, across batches or within one", async () => {
    const event = createEvent();
    await postBatch(platform, createBatch([event]));
    const answer = await postBatch(platform, createBatch([event, createEvent(), event]));
    expect(answer.body).toMatchObject({ status: "accepted", accepted: 1, duplicates: 2 });
  });

  it("keeps each event exactly as it was sent", async () => {
    const eventId = "as-sent";
    const json = `{ "interactionType":"user_message","content":"caf\\u00e9 \\ud83d\\ude00 1.0", "contentLength":1e1,"eventId":"${eventId}",
      "timestamp":${START}, "sessionId":"s","agentId":"a","environment":"staging","requestId":"r","own":[1.0,{}] }`;
    const events = `[ ${json} , ${JSON.stringify(createEvent())}]`;
    const checksum = `sha256:${createHash("sha256").update(events).digest("hex")}`;
    const sums = {
      events: undefined,
      eventCount: 2,
      totalSize: Buffer.byteLength(events),
      checksum,
    };
    const envelope = JSON.stringify(createBatch([], sums));
    expect((await postBatch(platform, `{"events":${events},${envelope.slice(1)}`)).status).toBe(
      202,
    );
    const response = await fetch(`${platform.url}/api/events/${eventId}`);
    expect(await response.text()).toContain(`{"event":${json},`);
  });
});

describe("a batch with invalid events", () => {
  it("is accepted in part and names what is wrong", async () => {
    const events = [
      createEvent(),
      createEvent("user_message", { content: 5, eventId: "bad-content" }),
      createEvent("small_talk"),
      null,
      createEvent("tool_call", { riskLevel: "extreme" }),
    ];
    const answer = await postBatch(platform, createBatch(events));
    expect(answer.status).toBe(202);
    const { status, accepted, rejected } = batchAckSchema.parse(answer.body);
    expect({ status, accepted }).toEqual({ status: "partial", accepted: 1 });
    expect(rejected.map(({ index, pointer }) => [index, pointer])).toEqual([
      [1, "/events/1/content"],
      [2, "/events/2/interactionType"],
      [3, "/events/3/interactionType"],
      [4, "/events/4/riskLevel"],
    ]);
    expect(rejected[0]?.eventId).toBe("bad-content");
  });

  it("is refused when none is valid, without repeating content", async () => {
    const answer = await postBatch(
      platform,
      createBatch([createEvent("user_message", { content: ["my secret"] }), 7]),
    );
    expectProblem(answer, 422, "no_valid_event");
    expect(answer.body["errors"]).toHaveLength(2);
    expect(JSON.stringify(answer.body)).not.toContain("secret");
  });
});

describe("an invalid batch", () => {
  it.each([
    ["wrong count", { eventCount: 2 }, "invalid_batch", "/eventCount"],
    ["wrong size", { totalSize: 3 }, "invalid_batch", "/totalSize"],
    ["wrong checksum", { checksum: `sha256:${"0".repeat(64)}` }, "checksum_mismatch", "/checksum"],
    ["no checksum at all but md5", { checksum: "md5:1" }, "invalid_batch", "/checksum"],
    ["no events", { events: [] }, "invalid_batch", "/events"],
    ["unknown member", { secretMember: 1 }, "invalid_batch", ""],
    ["broken id", { batchId: "a\nb" }, "invalid_batch", "/batchId"],
  ])("is refused: %s", async (_, overrides, code, pointer) => {
    const answer = await postBatch(platform, createBatch([createEvent()], overrides));
    expectProblem(answer, 422, code);
    expect(problemSchema.parse(answer.body).errors?.map((error) => error.pointer)).toContain(
      pointer,
    );
    expect(JSON.stringify(answer.body)).not.toContain("secretMember");
  });

  it("is refused when it is not an object", async () => {
    for (const body of ["[]", "null", "1", '"x"'])
      expectProblem(await postBatch(platform, body), 422, "invalid_batch");
  });

  it("is refused when its body can't be read", async () => {
    expectProblem(await postBatch(platform, '{"batchId":'), 400, "malformed_body");
    expectProblem(await postBatch(platform, ""), 400, "malformed_body");
    expectProblem(
      await postBatch(platform, Buffer.from([0x22, 0xff, 0x22])),
      400,
      "malformed_body",
    );
    expectProblem(
      await postBatch(platform, "{}", { headers: { "content-encoding": "gzip" } }),
      400,
      "malformed_body",
    );
    const cut = gzipSync(JSON.stringify(createBatch())).subarray(0, 40);
    expectProblem(
      await postBatch(platform, cut, { headers: { "content-encoding": "gzip" } }),
      400,
      "malformed_body",
    );
  });

  it("is refused in another type or encoding", async () => {
    for (const type of ["text/plain", "application/jose", "application/jsonx"]) {
      expectProblem(
        await postBatch(platform, createBatch(), { headers: { "content-type": type } }),
        415,
        "unsupported_media_type",
      );
    }
    const answer = await postBatch(platform, createBatch(), {
      headers: { "content-encoding": "br" },
    });
    expectProblem(answer, 415, "unsupported_encoding");
    expect(answer.headers.get("accept-encoding")).toBe("gzip, identity");
    const accepted = await postBatch(platform, createBatch(), {
      headers: { "content-type": "Application/JSON; charset=utf-8" },
    });
    expect(accepted.status).toBe(202);
  });
});

describe("headers", () => {
  it("accept the quoted batch id as idempotency key, and nothing else", async () => {
    const batch = createBatch();
    const key = (value: string) => ({ headers: { "idempotency-key": value } });
    expectProblem(
      await postBatch(platform, batch, key(String(batch["batchId"]))),
      422,
      "invalid_batch",
    );
    expectProblem(await postBatch(platform, batch, key('"another"')), 422, "invalid_batch");
    expect((await postBatch(platform, batch, key(`"${String(batch["batchId"])}"`))).status).toBe(
      202,
    );
  });

  it("hold the digest against the bytes as sent", async () => {
    const plain = Buffer.from(JSON.stringify(createBatch()));
    const zipped = gzipSync(plain);
    const encoded = { "content-encoding": "gzip" };
    const send = (value: string) =>
      postBatch(platform, zipped, { headers: { ...encoded, "content-digest": value } });
    expectProblem(await send(digest(plain)), 422, "checksum_mismatch");
    expectProblem(await send("sha-256=nonsense"), 422, "checksum_mismatch");
    expect((await send(`sha-512=:AA==:, ${digest(zipped)}`)).status).toBe(202);
  });
});

describe("bounds", () => {
  it("refuse a body that is too large as sent", async () => {
    expectProblem(await postBatch(platform, `"${"x".repeat(200_000)}"`), 413, "payload_too_large");
  });

  it("refuse a body that comes in chunks without saying its size", async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let left = 40;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const headers = {
      authorization: "Bearer k",
      "x-organization-id": "o",
      "content-type": "application/json",
    };
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers,
      body: stream,
      duplex: "half",
    };
    expect((await fetch(`${platform.url}/v1/batches`, init)).status).toBe(413);
  });

  it("leave the connection usable for the next request, whatever was refused and why", async () => {
    const large = `"${"x".repeat(700_000)}"`;
    for (let round = 0; round < 3; round++) {
      expect((await postBatch(platform, large)).status).toBe(413);
      expect((await postBatch(platform, large, { headers: { authorization: "" } })).status).toBe(
        401,
      );
      expect(
        (await postBatch(platform, large, { headers: { "content-type": "text/plain" } })).status,
      ).toBe(415);
      expect((await postBatch(platform, createBatch())).status).toBe(202);
    }
  });

  it("refuse a small body that grows too large when decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
    expect(bomb.length).toBeLessThan(200_000);
    expectProblem(
      await postBatch(platform, bomb, { headers: { "content-encoding": "gzip" } }),
      413,
      "payload_too_large",
    );
  });

  it("refuse a batch of too many events", async () => {
    expectProblem(
      await postBatch(platform, createBatch(Array.from({ length: 10_001 }, () => 1))),
      413,
      "payload_too_large",
    );
  });

  it("take a value that is nested as deep as fits", async () => {
    const depth = 40_000;
    const events = `[${JSON.stringify(createEvent("tool_call", { toolParameters: 0 })).replace('"toolParameters":0', `"toolParameters":${"[".repeat(depth)}${"]".repeat(depth)}`)}]`;
    const envelope = JSON.stringify(
      createBatch([], {
        events: undefined,
        eventCount: 1,
        totalSize: events.length,
        checksum: undefined,
      }),
    );
    const answer = await postBatch(platform, `{"events":${events},${envelope.slice(1)}`);
    expect(answer.status).toBe(202);
  });
});

describe("the ingest log", () => {
  it("lists batches, the newest first, with what was refused", async () => {
    const batch = createBatch([createEvent(), 1]);
    await postBatch(platform, batch, { gzip: true });
    const { body } = await get(platform, "/api/batches?limit=1");
    expect(body["batches"]).toMatchObject([
      {
        batchId: batch["batchId"],
        eventCount: 2,
        accepted: 1,
        encoding: "gzip",
        rejected: [{ index: 1 }],
        redeliveries: 0,
      },
    ]);
    const next = await get(platform, `/api/batches?limit=1&before=${String(body["next"])}`);
    expect(next.body["batches"]).toHaveLength(1);
    expect(next.body["batches"]).not.toEqual(body["batches"]);
  });
});
