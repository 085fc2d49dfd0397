import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, PHONE, usePages } from "../helpers/browser.ts";
import { createBatch, createEvent, get, type JsonObject, postBatch } from "../platform/helpers.ts";

/** Items that are drawn at most: all of a short queue. */
const MOST_ITEMS = 101;
/** Items that are gone through by keys: more than two pages of the platform. */
const KEYS = 120;
const RULE = "consumer-protection-guaranteed-returns";

describe.skipIf(!hasBrowser)("the review queue's page", { timeout: 60_000 }, () => {
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

  const open = (path = "#/queue", options?: BrowserContextOptions): Promise<Page> =>
    pages.open(`${platform.url}/${path}`, options);

  async function seed(count: number, first = 0): Promise<void> {
    const events = Array.from({ length: count }, (_, place) => {
      const index = first + place;
      const quote = `guaranteed ${index + 1} % return`;
      return createEvent("agent_response", {
        sessionId: `session-${index}`,
        content: `Yes, a ${quote}.`,
        contentLength: quote.length + 8,
        riskScore: 60 + (index % 40),
        requiresReview: true,
        complianceFlags: [
          {
            rule: RULE,
            category: "consumer_protection",
            severity: "violation",
            description: "A return is promised.",
            confidence: 0.97,
            context: { detectedContent: quote, detectedPattern: "promised" },
          },
        ],
      });
    });
    await postBatch(platform, createBatch(events));
  }

  async function listItems(query: string): Promise<JsonObject[]> {
    return (await get(platform, `/api/reviews?${query}`)).body["items"] as JsonObject[];
  }

  it("is worked off, ten items by keys alone", async () => {
    await seed(10);
    const page = await open();
    await page.locator("[data-item]").nth(9).waitFor();
    await page.getByText("Nothing is chosen.").waitFor();
    for (let done = 0; done < 10; done++) {
      await page.keyboard.press("j");
      await page.locator(".decision").waitFor();
      const { key = "" } = /#\/q\/(?<key>[\w-]+)/.exec(page.url())?.groups ?? {};
      await page.keyboard.press("d");
      await page.keyboard.press("2");
      await page.keyboard.press("Enter");
      await page.locator(`[data-item="${key}"]`).waitFor({ state: "detached" });
    }
    await page.getByText("Nothing is to be reviewed.").waitFor();
    const closed = await listItems("state=closed");
    expect(closed.map(({ outcome }) => (outcome as JsonObject)["disposition"])).toEqual(
      Array.from({ length: 10 }, () => "false_positive"),
    );
  });

  it("goes on where the last item was, and Enter keeps the one that is open", async () => {
    await seed(4);
    const page = await open();
    await page.locator("[data-item]").nth(3).waitFor();
    const keys = await page
      .locator("[data-item]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-item") ?? ""));
    await page.getByRole("link", { name: "Queue" }).focus();
    const current = page.locator("[data-item][aria-current]");
    for (const key of keys.slice(0, 2)) {
      await page.keyboard.press("j");
      await expect.poll(() => current.getAttribute("data-item")).toBe(key);
    }
    await page.keyboard.press("Enter");
    await page.locator(".decision").waitFor();
    expect(page.url()).toContain(keys[1]);
    for (const key of ["d", "2", "Enter"]) await page.keyboard.press(key);
    await page.locator(`[data-item="${keys[1]}"]`).waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await expect.poll(() => page.url()).toContain(keys[2]);
  });

  it("is closed by Enter from the list of reasons, and by Ctrl + Enter from the comment", async () => {
    await seed(2);
    const page = await open();
    await page.locator("[data-item]").nth(1).waitFor();
    for (const [label, key] of [
      ["Reason", "Enter"],
      ["Comment", "Control+Enter"],
    ] as const) {
      await page.keyboard.press("j");
      const decision = page.locator(".decision");
      await decision.getByLabel("acceptable").check();
      const left = await page.locator("[data-item]").count();
      await decision.getByLabel(label).press(key);
      await expect.poll(() => page.locator("[data-item]").count()).toBe(left - 1);
    }
    expect(await listItems("state=closed")).toHaveLength(2);
  });

  it(
    "has a thousand items: few are drawn, and keys go to those that are not",
    { timeout: 180_000 },
    async () => {
      for (const first of [0, 500]) await seed(500, first);
      const page = await open();
      const items = page.locator("[data-item]");
      const current = page.locator("[data-item][aria-current]");
      await items.nth(49).waitFor({ state: "attached" });
      let key = await items.first().getAttribute("data-item");
      let most = 0;
      for (let at = 0; at < KEYS; at++) {
        await page.keyboard.press("j");
        await page.locator(`[data-item="${key}"][aria-current]`).waitFor();
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        if (at % 10 === 0) most = Math.max(most, await items.count());
        const below = page.locator(`li:has([data-item="${key}"]) + li [data-item]`);
        key = await below.getAttribute("data-item");
      }
      expect(most).toBeLessThan(MOST_ITEMS);
      const pane = page.locator("nav.list .scroll");
      await pane.evaluate((one) => one.scrollTo(0, 0));
      await current.waitFor({ state: "detached" });
      await page.keyboard.press("j");
      const next = page.locator(`[data-item="${key}"]:focus`);
      await next.waitFor();
      expect(await next.getAttribute("aria-current")).toBe("true");
      await page.locator(".decision").waitFor();
      await page.keyboard.press("c");
      const panel = page.getByRole("complementary", { name: "Review" });
      await panel.getByText("claimed by local").waitFor();
      expect(await items.count()).toBeLessThan(MOST_ITEMS);
      expect(await findViolations(page)).toEqual([]);
    },
  );

  it("shows the findings, takes a claim and a decision with its reason, and shows who made it", async () => {
    await seed(1);
    const page = await open();
    await page.getByRole("link", { name: /guaranteed 1 % return/ }).click();
    const panel = page.getByRole("complementary", { name: "Review" });
    await panel.getByRole("button", { name: "Claim" }).click();
    await panel.getByText("claimed by local").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await panel.getByLabel("acceptable").check();
    await panel.getByLabel("Reason").selectOption("approved_wording");
    await panel.getByLabel("Comment").fill("Approved in March.");
    await panel.getByRole("button", { name: "Close item" }).click();
    await panel.getByText("closed: acceptable").waitFor();
    await panel.getByText(/close · acceptable · approved wording · Approved in March./).waitFor();
    await panel.getByText("acceptable, local").waitFor();
    const [item] = await listItems("state=closed");
    expect(item).toMatchObject({ outcome: { reasonCode: "approved_wording" } });
  });

  it("says that somebody else has changed the item meanwhile", async () => {
    await seed(1);
    const page = await open();
    await page.getByRole("link", { name: /guaranteed/ }).click();
    await page.locator(".decision").waitFor();
    const [item = {}] = await listItems("");
    const path = `/api/reviews/${String(item["key"])}`;
    const former = await get(platform, path);
    // Until the page has seen the change, which it does by itself in two seconds.
    await page.route(`**${path}`, (route) =>
      route.fulfill({ json: former.body, headers: { etag: former.headers.get("etag") ?? "" } }),
    );
    await fetch(`${platform.url}${path}/actions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"action":"comment","comment":"seen"}',
    });
    await page.getByRole("button", { name: "Claim", exact: true }).click();
    await page.getByRole("alert").getByText("it has changed since it was read").waitFor();
    complaints.length = 0;
  });

  it("has its filter in the address, and says where nothing matches", async () => {
    await seed(3);
    const page = await open("#/queue?state=claimed");
    await page.getByText("No item matches this filter.").waitFor();
    await page.getByRole("button", { name: "To do" }).click();
    await page.locator("[data-item]").nth(2).waitFor();
    await page.getByLabel("Order").selectOption("risk");
    expect(page.url()).toMatch(/#\/queue\?order=risk$/);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("takes a conversation that no rule has found, sent from its page by keys", async () => {
    await postBatch(platform, createBatch([createEvent("agent_response")]));
    const { body } = await get(platform, "/api/conversations");
    const key = String((body["conversations"] as JsonObject[])[0]?.["key"]);
    const page = await open(`#/c/${key}`);
    await page.getByRole("button", { name: "Send to review" }).waitFor();
    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Send to review" });
    await dialog.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("r");
    await dialog.waitFor();
    await page.keyboard.type("a customer has complained");
    await dialog.getByLabel("Severity").selectOption("violation");
    await dialog.getByRole("button", { name: "Send" }).press("Enter");
    const panel = page.getByRole("complementary", { name: "Review" });
    await panel.getByText("add · a customer has complained").waitFor();
    expect(await page.getByRole("button", { name: "Send to review" }).count()).toBe(0);
    await panel.getByRole("link", { name: "Open in the queue" }).click();
    await page.getByLabel("Origin").selectOption("manual");
    await page.locator(`[data-item="${key}"]`).getByText("manual").waitFor();
    expect(page.url()).toMatch(/#\/queue\?origin=manual$/);
    await page.getByLabel("Origin").selectOption("qa_sample");
    await page.getByText("No item matches this filter.").waitFor();
    expect(await listItems("origin=manual")).toMatchObject([{ key, severity: "violation" }]);
  });

  it.each([["light"], ["dark"]] as const)(
    "fits a phone and is readable: %s",
    async (colorScheme) => {
      await seed(2);
      const page = await open("#/queue", { viewport: PHONE, colorScheme });
      await page.locator("[data-item]").first().waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.locator("[data-item]").first().click();
      await page.locator(".decision").waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
      expect(await findViolations(page)).toEqual([]);
    },
  );
});
