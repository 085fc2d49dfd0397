import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { toBranches, type ShownSpan } from "../../src/platform/ui/conversation/span-tree.ts";
import { findViolations, hasBrowser, launchBrowser } from "../helpers/browser.ts";

function toShown(spanId: string, parentSpanId?: string): ShownSpan {
  return {
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: spanId,
    kind: "internal",
    startTimeUnixNano: "0",
    endTimeUnixNano: "0",
    status: { code: "unset" },
    attributes: {},
    events: [],
    scope: { name: "" },
  };
}

function outline(spans: readonly ShownSpan[]): string[] {
  return toBranches(spans).map(({ span, depth }) => `${depth}${span.spanId}`);
}

describe("the tree of a trace", () => {
  it("has every span under its parent, in order, whatever came first", () => {
    const spans = [toShown("c", "b"), toShown("a"), toShown("b", "a"), toShown("d", "a")];
    expect(outline(spans)).toEqual(["0a", "1b", "2c", "1d"]);
  });

  it("has spans without a known parent at the top, and goes around no circle", () => {
    const spans = [toShown("x", "gone"), toShown("p", "q"), toShown("q", "p"), toShown("s", "s")];
    expect(outline(spans)).toEqual(["0x", "0p", "1q", "0s"]);
  });

  it("may be deeper than the stack", () => {
    const spans = Array.from({ length: 20_000 }, (_, index) =>
      toShown(`${index}`, index === 0 ? undefined : `${index - 1}`),
    );
    expect(toBranches(spans).at(-1)?.depth).toBe(19_999);
  });
});

describe.skipIf(!hasBrowser)("the viewer", { timeout: 60_000 }, () => {
  let browser: Browser;
  let platform: Platform;
  beforeAll(async () => {
    browser = await launchBrowser();
    platform = await startPlatform({ port: 0 });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await platform.close();
  });

  async function sendSpans(...spans: object[]): Promise<void> {
    const resource = { attributes: [{ key: "service.name", value: { stringValue: "teller" } }] };
    const answer = await fetch(`${platform.url}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "bank" }, spans }] }],
      }),
    });
    expect(answer.status).toBe(200);
  }

  it.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("shows traces and their spans: %s, %i wide", async (colorScheme, width) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    const traceId = String(width).padStart(32, "a");
    const times = {
      startTimeUnixNano: "1795183200000000000",
      endTimeUnixNano: "1795183201500000000",
    };
    const root = { traceId, spanId: "1".repeat(16), name: `invoke_agent ${width}`, ...times };
    const child = {
      traceId,
      spanId: "2".repeat(16),
      parentSpanId: root.spanId,
      name: "chat <b>gpt-5</b>",
      status: { code: 2, message: "timed out" },
      ...times,
    };
    await page.goto(`${platform.viewerUrl}#/traces`);
    await sendSpans(child, root);
    await page.getByRole("link", { name: new RegExp(`${root.name}.*2 spans · 1.5 s`) }).click();
    const summaries = page.locator(".span summary");
    await summaries.getByText("✕ failed").waitFor();
    expect(await summaries.first().textContent()).toContain(root.name);
    const [outer, inner] = await page
      .locator(".span")
      .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().left));
    expect(Number(inner)).toBeGreaterThan(Number(outer));
    await page.getByText("chat <b>gpt-5</b>").click();
    await page.getByText('"message": "timed out"').waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.goto(`${platform.url}/#/t/${"9".repeat(32)}`);
    await page.getByText("There is no such trace.").waitFor();
    await page.getByRole("link", { name: "Back to the list" }).click();
    await page.getByRole("link", { name: "Conversations" }).click();
    await page.getByText("No conversations yet.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Traces" }).waitFor();
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
    await context.close();
  });
});
