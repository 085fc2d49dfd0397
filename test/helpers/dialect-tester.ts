import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dialects, readSpan } from "../../src/bridge/dialects/index.ts";
import { GenAiSpanFilter } from "../../src/bridge/genai-span-filter.ts";
import type { Dialect, SpanExchange, SpanLike } from "../../src/bridge/span-record.ts";
import { exportSpanWithoutContent, findContent } from "./content-none.ts";

interface SpanCase {
  /** What the case shows. */
  readonly title: string;
  readonly span: SpanLike;
  /** What is read; members that are not named must be absent. */
  readonly expected: SpanExchange;
}

function withoutAbsent(exchange: object | undefined): unknown {
  return exchange && (JSON.parse(JSON.stringify(exchange)) as unknown);
}

/** Reads the spans of `test/fixtures/spans/<dialect>.json`. */
function readCases(name: string): readonly SpanCase[] {
  const path = new URL(`../fixtures/spans/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as SpanCase[];
}

/** Tests that a dialect reads its spans, and none of a plain application. */
export function testDialect(dialect: Dialect): void {
  describe(dialect.name, () => {
    it.each(readCases(dialect.name))("reads $title", ({ span, expected }) => {
      expect(dialect.toRole(span)).toBe(expected.role);
      expect(withoutAbsent(readSpan(span))).toEqual(expected);
    });

    it("reads spans that the bridge takes for those of a GenAI instrumentation", () => {
      const filter = new GenAiSpanFilter();
      const passed = readCases(dialect.name).filter(({ span }) => filter.isLikely(span));
      const hint = "name the scope or a first part of attributes in genai-names.ts";
      expect(passed.length, hint).toBeGreaterThan(0);
    });

    it("keeps content to itself where the policy says none", () => {
      const hint = "none-policy.ts does not take these attributes for content";
      for (const { span, expected } of readCases(dialect.name)) {
        const content = [expected.userMessage, expected.agentResponse];
        expect(findContent(exportSpanWithoutContent(span), content), hint).toEqual([]);
      }
    });

    it("leaves other spans alone", () => {
      const attributes = { "http.request.method": "POST", "input.value": "x", "session.id": "s" };
      expect(dialect.toRole({ name: "POST", attributes })).toBeUndefined();
    });

    it("reads spans with anything in their attributes", () => {
      for (const { span } of readCases(dialect.name)) {
        for (const odd of ['[{"role":"user"', "[[[[", "{}", "", 7, null, [null], { role: 1 }]) {
          const attributes = Object.fromEntries(
            Object.entries(span.attributes).map(([key, value]) => [
              key,
              typeof value === "string" && value.length > 20 ? odd : value,
            ]),
          );
          expect(() => readSpan({ ...span, attributes })).not.toThrow();
        }
      }
    });

    it("is listed", () => {
      expect(dialects).toContain(dialect);
    });
  });
}
