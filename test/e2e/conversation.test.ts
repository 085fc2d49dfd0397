import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, usePages } from "../helpers/browser.ts";
import {
  createBatch,
  createEvent,
  get,
  type JsonObject,
  postBatch,
  START,
} from "../platform/helpers.ts";

const RETURNS = "consumer-protection-guaranteed-returns";
const NO_RISK = "consumer-protection-no-risk";

const ANSWER = [
  "## Your plan",
  "",
  "Our **guaranteed 8 % return** is *easy*:",
  "",
  "1. Open it at [our site](https://bank.example/open).",
  "2. You can never lose a cent.",
  "",
  "| Product | Rate |",
  "|---|---|",
  "| Saver | 2.1 % |",
].join("\n");

function toFlag(rule: string, severity: string, quote: string, text = ""): JsonObject {
  const start = text.indexOf(quote);
  const spans = [{ source: "agentResponse", start, end: start + quote.length }];
  return {
    rule,
    category: "consumer_protection",
    severity,
    description: "A promise that nobody can keep.",
    confidence: 0.9,
    context: { detectedContent: quote, detectedPattern: rule, ...(text !== "" && { spans }) },
  };
}

const BASE = { agentId: "wealth", agentVersion: "2.4.0", environment: "production" };

/** A conversation with two answers: the second says again what the first has said. */
function createEvents(): JsonObject[] {
  const say = (kind: string, seconds: number, fields: JsonObject): JsonObject => {
    const { content = "" } = fields as { readonly content?: string };
    const length =
      kind === "user_message" || kind === "agent_response" ? { contentLength: content.length } : {};
    return createEvent(kind, { ...BASE, timestamp: START + seconds * 1000, ...length, ...fields });
  };
  const llmMetadata = {
    model: "gpt-5",
    provider: "openai",
    latency: 1840,
    cost: 0.0041,
    tokensUsed: { input: 812, output: 264, total: 1076 },
  };
  const flagged = { llmMetadata, riskScore: 88, requiresReview: true };
  const again = "As I said, you can never lose a cent.";
  return [
    say("user_message", 1, { content: "How should I invest?" }),
    say("tool_call", 2, { toolName: "get_products", metadata: { toolCallId: "a" } }),
    say("tool_result", 3, {
      toolName: "get_products",
      metadata: { toolCallId: "a" },
      executionTime: 80,
    }),
    say("tool_call", 4, { toolName: "open_account", metadata: { toolCallId: "b" } }),
    say("tool_result", 5, {
      toolName: "open_account",
      metadata: { toolCallId: "b" },
      success: false,
      toolError: "answered 503",
    }),
    say("agent_response", 6, {
      content: ANSWER,
      ...flagged,
      complianceFlags: [
        toFlag(RETURNS, "violation", "guaranteed 8 % return", ANSWER),
        toFlag(NO_RISK, "warning", "never lose a cent"),
      ],
    }),
    say("agent_response", 7, {
      content: again,
      ...flagged,
      complianceFlags: [toFlag(NO_RISK, "warning", "never lose a cent", again)],
    }),
  ];
}

describe.skipIf(!hasBrowser)("the page of a conversation", { timeout: 120_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform({ port: 0 });
  });
  afterEach(async () => {
    await pages.close();
    await platform.close();
    expect(complaints).toEqual([]);
  });

  const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
    pages.open(`${platform.url}/${path}`, options, (page) => {
      page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    });

  async function post(events: readonly JsonObject[]): Promise<string> {
    await postBatch(platform, createBatch(events));
    const { body } = await get(platform, "/api/conversations");
    const [newest] = body["conversations"] as JsonObject[];
    return String(newest?.["key"]);
  }

  async function listFindings(key: string): Promise<JsonObject[]> {
    return (await get(platform, `/api/conversations/${key}/findings`)).body[
      "findings"
    ] as JsonObject[];
  }

  const focused = (page: Page): Promise<string> =>
    page.evaluate("document.activeElement?.dataset.finding ?? ''");

  it("marks what was found inside the text, and shows what is said again in a line", async () => {
    const key = await post(createEvents());
    const page = await open(`#/c/${key}`);
    const marks = page.locator(".content mark");
    await marks.nth(2).waitFor();
    expect(await marks.allTextContents()).toEqual([
      "guaranteed 8 % return",
      "never lose a cent",
      "never lose a cent",
    ]);
    expect(await marks.evaluateAll((all) => all.map((mark) => mark.getAttribute("class")))).toEqual(
      ["violation", "warning", "warning"],
    );
    expect(await page.locator(".markdown strong mark").count()).toBe(1);
    expect(await page.locator(".markdown li").count()).toBe(2);
    expect(await page.locator(".markdown td").allTextContents()).toEqual(["Saver", "2.1 %"]);
    const link = page.locator(".markdown a");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    await page.getByText("(https://bank.example/open)").waitFor();
    expect(await page.locator(".finding:not(.repeat)").count()).toBe(2);
    expect(await page.locator(".finding.repeat").count()).toBe(1);
    await page.getByText("2 turns").waitFor({ state: "detached" });
    await page.getByText(/1 turn · 2 tool calls · 1 failed · 2,152 tokens · \$0.0082/).waitFor();
    await page
      .getByText("gpt-5 · 1.8 s · 1,076 tokens (812 in, 264 out) · $0.0041 · risk 88")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "As text" }).click();
    await page.locator(".content", { hasText: "Our **guaranteed 8 % return** is" }).waitFor();
    expect(await marks.first().textContent()).toBe("guaranteed 8 % return");
    expect(await findViolations(page)).toEqual([]);
  });

  it("goes from finding to finding by keys, by links and by the address", async () => {
    const key = await post(createEvents());
    const [first, second, third] = (await listFindings(key)).map(({ id }) => String(id));
    const page = await open(`#/c/${key}?finding=${third}`);
    await expect.poll(() => focused(page)).toBe(third);
    await page.keyboard.press("n");
    expect(await focused(page)).toBe(first);
    expect(page.url()).toContain(`#/c/${key}?finding=${first}`);
    await page.keyboard.press("p");
    await page.keyboard.press("p");
    expect(await focused(page)).toBe(second);
    await page.getByRole("link", { name: "14:00:07" }).click();
    expect(await focused(page)).toBe(third);
    await page.getByRole("link", { name: "first at 14:00:06" }).click();
    expect(await focused(page)).toBe(second);
    await page.getByRole("button", { name: "Show in text" }).first().click();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("guaranteed 8 % return");
    await page.locator(".content mark").nth(1).click();
    expect(await focused(page)).toBe(second);
    await page.getByRole("complementary").getByRole("link", { name: RETURNS }).click();
    await expect.poll(() => focused(page)).toBe(first);
    await page.goto(`${platform.url}/#/q/${key}?order=risk&finding=${third}`);
    await expect.poll(() => focused(page)).toBe(third);
    await page.keyboard.press("p");
    expect(page.url()).toContain(`#/q/${key}?order=risk&finding=${second}`);
  });

  it("copies the link of a finding", async () => {
    const key = await post(createEvents());
    const page = await open(`#/c/${key}`, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy link" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const [first] = await listFindings(key);
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `${platform.url}/#/c/${key}?finding=${String(first?.["id"])}`,
    );
  });

  it("shows what was decided, and leads to the queue to decide", async () => {
    const key = await post(createEvents());
    const [first] = await listFindings(key);
    const page = await open(`#/c/${key}`);
    const review = page.getByRole("complementary", { name: "Review" });
    await review.getByText("open", { exact: true }).waitFor();
    await fetch(`${platform.url}/api/reviews/${key}/actions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        action: "decide",
        findingIds: [first?.["id"]],
        disposition: "acceptable",
        reasonCode: "approved_wording",
        comment: "Approved in March.",
      }),
    });
    await page
      .locator(".finding dd", {
        hasText: /acceptable, approved wording by local, .*: Approved in March\./,
      })
      .waitFor();
    await review.getByText("acceptable, local").waitFor();
    expect(await page.getByRole("group", { name: "Decision" }).count()).toBe(0);
    await review.getByRole("link", { name: "Open in the queue" }).click();
    await page.getByRole("group", { name: "Decision" }).waitFor();
  });

  it("leads to the trace and back", async () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const span = {
      traceId,
      spanId: "1".repeat(16),
      name: "chat gpt-5",
      startTimeUnixNano: `${START}000000`,
      endTimeUnixNano: `${START + 900}000000`,
    };
    await fetch(`${platform.url}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-organization-id": "first-bank" },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    });
    const key = await post([
      createEvent("user_message", { content: "Which rate?" }),
      createEvent("agent_response", { timestamp: START + 1, metadata: { traceId } }),
      createEvent("agent_response", {
        timestamp: START + 2,
        metadata: { traceId: "f".repeat(32) },
      }),
    ]);
    const page = await open(`#/c/${key}`);
    await page.locator(".meta a").waitFor();
    expect(await page.locator(".meta a").count()).toBe(1);
    await page.locator(".meta a").click();
    await page.getByRole("link", { name: "Conversation: Which rate?" }).click();
    await page.getByRole("heading", { name: "Which rate?" }).waitFor();
  });

  it("says what it cannot show: nothing there, nothing answered, nothing captured", async () => {
    const key = await post([
      createEvent("user_message", { content: "", contentLength: 0 }),
      createEvent("agent_response", {
        timestamp: START + 1,
        content: "",
        contentLength: 0,
        metadata: { captured: false },
      }),
      createEvent("agent_response", { timestamp: START + 2, content: "Begin", contentLength: 900 }),
    ]);
    const page = await open(`#/c/${key}`);
    await page.getByText("The message is empty.").waitFor();
    await page.getByText("The content was not captured.").waitFor();
    await page.getByText("Cut by the sender: 5 of 900 characters.").waitFor();
    await page.route("**/api/conversations/*", (route) =>
      route.fulfill({ status: 500, body: "{}" }),
    );
    await page.goto(`${platform.url}/#/c/other`);
    await page
      .getByText("The conversation could not be loaded: the platform answered 500.")
      .waitFor();
    await page.unroute("**/api/conversations/*");
    await page.getByText("There is no such conversation.").waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.goto(`${platform.url}/#/c/third`);
    await page
      .getByText("The platform does not answer. This page tries again by itself.")
      .waitFor();
    expect(await findViolations(page)).toEqual([]);
    await pages.close();
    complaints.length = 0;
  });

  it("puts all on paper, and no bars", async () => {
    const key = await post(createEvents());
    const page = await open(`#/c/${key}`);
    await page.locator("details.tool").first().waitFor();
    const isOpen = () =>
      page.locator("details.tool").evaluateAll((all) => all.map((one) => one.hasAttribute("open")));
    expect(await isOpen()).toEqual([false, true]);
    await page.emulateMedia({ media: "print" });
    await expect.poll(isOpen).toEqual([true, true]);
    for (const hidden of [".top", "nav.list", ".header-buttons", ".raw"])
      expect(await page.locator(hidden).first().isVisible()).toBe(false);
    expect(await page.evaluate("document.documentElement.scrollHeight > innerHeight")).toBe(true);
    await page.emulateMedia({ media: "screen" });
    await expect.poll(isOpen).toEqual([false, true]);
  });

  it("follows a conversation without moving what is read", async () => {
    const message = (index: number): JsonObject =>
      createEvent("user_message", {
        ...BASE,
        timestamp: START + index,
        content: `Message ${index}`,
        contentLength: 12,
      });
    const key = await post(Array.from({ length: 1000 }, (_, index) => message(index)));
    const page = await open(`#/c/${key}`);
    await page.locator(".transcript > .row").nth(999).waitFor({ state: "attached" });
    await page.evaluate(`
      window.moved = 0;
      new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries())
          for (const { node } of sources) if (document.querySelector(".detail").contains(node)) moved++;
      }).observe({ type: "layout-shift" });
    `);
    await post([message(1001), message(1002)]);
    await page.getByRole("button", { name: "2 new entries" }).waitFor();
    const pane = page.getByRole("region", { name: /Transcript/ });
    expect(await pane.evaluate((one) => one.scrollTop)).toBe(0);
    for (let step = 0; step < 40; step++) {
      await pane.evaluate((one) => one.scrollBy(0, 700));
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    }
    expect(await page.evaluate("moved")).toBe(0);
    await page.getByRole("button", { name: "2 new entries" }).click();
    await page.getByText("Message 1002").waitFor();
    await page.getByRole("button", { name: "new entries" }).waitFor({ state: "detached" });
    // At the end it is followed.
    await post([message(1003)]);
    await page.getByText("Message 1003").waitFor();
    await expect
      .poll(() =>
        page.getByText("Message 1003").evaluate((one) => {
          const { top } = one.getBoundingClientRect();
          return top > 0 && top < one.ownerDocument.documentElement.clientHeight;
        }),
      )
      .toBe(true);
  });

  it("runs nothing that stands in a field of any event", async () => {
    const evil = [
      "<img src=x onerror=alert(1)>",
      "<script>alert(2)</script>",
      "[a](javascript:alert(3)) [b](data:text/html,<script>alert(4)</script>) javascript:alert(5)",
      '![x](https://evil.test/x.png) [c](https://a.test/"onclick=alert(6))',
      "\u202eright to left\u202d \u0000 \ud800 ${alert(7)} {{alert(8)}} </script><svg onload=alert(9)>",
    ].join("\n");
    const long = `${"<b>x</b>".repeat(2)}${"*a ".repeat(40_000)}${"[".repeat(200_000)}${"a".repeat(700_000)}`;
    const text = evil.toWellFormed().replaceAll("\u0000", "");
    const name = text.replaceAll("\n", " ").slice(0, 200);
    const all = {
      agentId: name,
      sessionId: name,
      userId: name,
      agentVersion: name,
      requestId: name,
    };
    const kinds: Record<string, JsonObject> = {
      conversation_start: { metadata: { channel: text, userAgent: text } },
      user_message: { content: text, contentLength: text.length, contentHash: text },
      agent_response: {
        content: text,
        contentLength: text.length,
        llmMetadata: {
          model: text,
          provider: text,
          latency: 1,
          tokensUsed: { input: 1, output: 1, total: 2 },
        },
        requiresReview: true,
        complianceFlags: [
          { ...toFlag(text, "violation", text), description: text, recommendation: text },
          toFlag(RETURNS, "violation", "right to left", text),
        ],
        metadata: { traceId: text },
      },
      tool_call: { toolName: text, toolParameters: { [text]: text }, toolCategory: text },
      tool_result: { toolName: text, toolResult: text, toolError: text, success: false },
      error: { errorType: text, errorMessage: text, errorStack: text, errorCode: text },
      compliance_violation: { violationType: text, description: text, ruleId: text },
      conversation_end: {},
    };
    const events = Object.entries(kinds).map(([kind, fields], index) =>
      createEvent(kind, { ...all, timestamp: START + index, ...fields }),
    );
    const later = { ...all, timestamp: START + 100, contentLength: long.length };
    const key = await post([...events, createEvent("agent_response", { ...later, content: long })]);
    const page = await open(`#/c/${key}`);
    await page.locator(".notice").waitFor();
    await page.getByRole("button", { name: /Show all .* characters/ }).click();
    const openAll = `document.querySelectorAll(".row:nth-child(-n + 7) details:not([open]) > summary").forEach((one) => one.click())`;
    // What was folded has folds of its own.
    for (let depth = 0; depth < 2; depth++) {
      await page.evaluate(openAll);
      await page.evaluate("new Promise((done) => setTimeout(done, 0))");
    }
    expect(
      await page.locator("#app img, #app script, #app svg, #app iframe, #app [onerror]").count(),
    ).toBe(0);
    const addresses = await page
      .locator("a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(addresses.filter((address) => !/^(?:#|https:\/\/)/.test(address))).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.goto(`${platform.url}/#/q/${key}`);
    await page.getByRole("group", { name: "Decision" }).waitFor();
  });

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
    ["dark", 390],
    ["light", 1920],
  ] as const)("is readable and fits: %s, %i px", async (colorScheme, width) => {
    const key = await post(createEvents());
    const page = await open(`#/c/${key}`, { colorScheme, viewport: { width, height: 800 } });
    await page.locator(".finding").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.keyboard.press("n");
    expect(await focused(page)).not.toBe("");
    const box = await page.locator(".finding").first().boundingBox();
    expect(box !== null && box.y >= 0 && box.y + box.height <= 800).toBe(true);
  });
});
