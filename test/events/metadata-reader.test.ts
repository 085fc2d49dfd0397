import { describe, expect, it } from "vitest";
import { MetadataReader } from "../../src/events/metadata-reader.ts";
import type * as z from "zod";
import type { EventType } from "../../src/events/base-event.ts";
import { eventSchemas } from "../../src/events/detailed-event.ts";
import { eventMetadataSchema } from "../../src/events/metadata.ts";
import { KINDS } from "../helpers/events.ts";

const read = (
  metadata: unknown,
  extra?: object,
  kind: EventType = "agent_response",
): MetadataReader => new MetadataReader(kind, metadata, extra, 10_000);

describe("MetadataReader", () => {
  it("finds nothing in nothing", () => {
    for (const metadata of [undefined, null, {}]) {
      const reader = read(metadata);
      expect(reader.rest()).toBeUndefined();
      expect(reader.invalidFields).toEqual([]);
      expect(reader.isTruncated).toBe(false);
    }
  });

  it("takes members out and leaves the rest", () => {
    const reader = read({ llmLatency: 5, custom: "text", note: null });
    expect(reader.has("llmLatency")).toBe(true);
    expect(reader.peek("llmLatency")).toBe(5);
    expect(reader.takeNumber("llmLatency")).toBe(5);
    expect(reader.has("llmLatency")).toBe(false);
    expect(reader.takeString("custom")).toBe("text");
    expect(reader.take("custom")).toBeUndefined();
    expect(reader.rest()).toEqual({ note: null });
  });

  it("does not take what is of another type", () => {
    const reader = read({ code: 5, text: "text" });
    expect(reader.takeString("code")).toBeUndefined();
    expect(reader.takeNumber("text")).toBeUndefined();
    expect(reader.rest()).toEqual({ code: 5, text: "text" });
  });

  it("keeps own members of such names, and pollutes nothing", () => {
    const reader = read(
      JSON.parse('{"__proto__":{"polluted":1},"constructor":2}'),
      JSON.parse('{"__proto__":3}') as object,
    );
    const rest = reader.rest() ?? {};
    expect(Object.getOwnPropertyDescriptor(rest, "__proto__")?.value).toBe(3);
    expect(rest["constructor"]).toBe(2);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("lets members that came as arguments win", () => {
    expect(read({ toolCallId: "a", x: 1 }, { toolCallId: "b" }).rest()).toEqual({
      toolCallId: "b",
      x: 1,
      overridden: { toolCallId: "a" },
    });
  });

  it("adds only what the caller does not have", () => {
    const reader = read({ mine: 1 });
    reader.add("mine", 2);
    reader.add("other", 3);
    reader.add("absent", undefined);
    expect(reader.rest()).toEqual({ mine: 1, other: 3 });
  });

  it("sets members of the wrong type or range aside and names them", () => {
    const reader = read({
      llmLatency: "fast",
      responseQuality: 101,
      cost: -1,
      temperature: 0.5,
      custom: -1,
    });
    expect(reader.invalidFields).toEqual(["llmLatency", "responseQuality", "cost"]);
    expect(reader.has("llmLatency")).toBe(false);
    expect(reader.rest()).toEqual({
      temperature: 0.5,
      custom: -1,
      invalidFields: { llmLatency: "fast", responseQuality: 101, cost: -1 },
    });
  });

  it("checks the members that only this kind of event has", () => {
    expect(read({ timeout: "1 s" }, undefined, "tool_call").invalidFields).toEqual(["timeout"]);
    expect(read({ timeout: "1 s" }, undefined, "user_message").invalidFields).toEqual([]);
    expect(
      read({ attachments: [{ type: "image/png" }] }, undefined, "user_message").invalidFields,
    ).toEqual(["attachments"]);
  });

  it.each(KINDS)("of %s judges every member as the schema does", (kind) => {
    const own = eventSchemas[kind].shape.metadata.unwrap() as z.ZodObject;
    const known = { ...eventMetadataSchema.shape, ...own.shape } as Record<string, z.ZodType>;
    const values = [
      null,
      -1,
      -0.5,
      0,
      0.5,
      1,
      10,
      10.5,
      11,
      100,
      100.5,
      101,
      2 ** 53,
      1e308,
      "",
      "none",
      "high",
      "resolved",
      "timeout",
      "client",
      true,
      [],
      {},
    ];
    const usages = [
      { input: 1, output: 2, total: 3 },
      { input: 1, output: 2, total: -3 },
      { input: "1", output: 2, total: 3 },
      { total: 3 },
    ];
    for (const [name, schema] of Object.entries(known)) {
      for (const value of [
        ...values,
        ...usages,
        [{ type: "a", size: 1, name: "b" }],
        [{ type: "a", size: -1, name: "b" }],
      ]) {
        const isValid = schema.safeParse(value).success;
        expect(
          read({ [name]: value }, undefined, kind).invalidFields,
          `${name} ${JSON.stringify(value)}`,
        ).toEqual(isValid ? [] : [name]);
      }
    }
  });

  it("keeps the caller's own member named invalidFields", () => {
    expect(read({ invalidFields: "mine", cost: -1 }).rest()).toEqual({
      invalidFields: { cost: -1, invalidFields: "mine" },
    });
    expect(read({ invalidFields: "mine" }).rest()).toEqual({ invalidFields: "mine" });
  });

  it("keeps null where null is not allowed", () => {
    expect(read({ cost: null }).rest()).toEqual({ invalidFields: { cost: null } });
    expect(read({ originalError: null }, undefined, "error").rest()).toEqual({
      originalError: null,
    });
  });

  it("says when it had to truncate", () => {
    expect(new MetadataReader("error", { text: "x".repeat(200) }, undefined, 100).isTruncated).toBe(
      true,
    );
    expect(new MetadataReader("error", {}, { text: "x".repeat(200) }, 100).isTruncated).toBe(true);
  });
});
