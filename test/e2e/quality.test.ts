import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, PHONE, usePages } from "../helpers/browser.ts";
import { createBatch, type JsonObject, postBatch } from "../platform/helpers.ts";
import { createAnswer, RULE } from "../platform/quality/desk.ts";

/** Around the time of the events. */
const DAYS = "from=2026-11-01&to=2026-12-01";

describe.skipIf(!hasBrowser)("the page of quality", { timeout: 120_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform({ port: 0, review: { sampling: { default: 1 } } });
  });
  afterEach(async () => {
    await pages.close();
    await platform.close();
    expect(complaints).toEqual([]);
  });

  const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
    pages.open(`${platform.url}/${path}`, options, (page) => page.setDefaultTimeout(60_000));

  const deliver = (...events: JsonObject[]) => postBatch(platform, createBatch(events));
  const post = (path: string, body: object) =>
    fetch(platform.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("shows a rule's precision, and that it changes with a finding closed as false positive", async () => {
    await deliver(createAnswer("first", ["surely 5 %"]));
    const page = await open(`#/quality?${DAYS}`);
    const precision = page.getByRole("row", { name: RULE }).locator("[data-precision]");
    await precision.getByText("not known yet").waitFor();
    await page.getByRole("link", { name: "Queue" }).click();
    await page.getByRole("link", { name: /surely 5 %/ }).click();
    const panel = page.getByRole("complementary", { name: "Review" });
    await panel.getByLabel("false positive").check();
    await panel.getByRole("button", { name: "Close item" }).click();
    await panel.getByText("closed: false positive").waitFor();
    await page.goto(`${platform.url}/#/quality?${DAYS}`);
    await precision.getByText(/^0 % \(0 % to 9[78] %, of 1\)$/).waitFor();
  });

  it("says what the sample shows, and shows the sampled answers of an item to decide about", async () => {
    await deliver(createAnswer("clean"), createAnswer("mixed", ["surely"]), createAnswer("mixed"));
    const page = await open(`#/quality?${DAYS}`);
    await page.getByText(/Nobody has decided about the 2 sampled answers yet/).waitFor();
    await page.goto(`${platform.url}/#/queue`);
    await page.getByRole("link", { name: /surely/ }).click();
    const sampled = page.getByRole("region", { name: "Sampled answers" });
    await sampled.getByRole("button", { name: "Decide" }).click();
    await sampled.getByText("acceptable, local").waitFor();
    await page.goto(`${platform.url}/#/quality?${DAYS}`);
    await page.getByText(/Of 1 reviewed answer without findings none is a violation/).waitFor();
    await page.getByText(/1 sampled answer nobody has reviewed/).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("lists suppressions with what they held back, and revokes one", async () => {
    await deliver(createAnswer("first", ["no sure return"]));
    const { items } = (await (await fetch(`${platform.url}/api/reviews`)).json()) as {
      items: { key: string; finding: { id: string } }[];
    };
    const [item] = items;
    const close = { action: "close", disposition: "false_positive", reasonCode: "definition" };
    await post(`/api/reviews/${item?.key}/actions`, close);
    const made = await post("/api/suppressions", {
      findingId: item?.finding.id,
      rule: RULE,
      phrase: "no sure return",
      until: Date.now() + 86_400_000,
      reason: "A refusal.",
    });
    expect(made.status).toBe(201);
    await deliver(createAnswer("second", ["No sure return!"]));
    const page = await open(`#/quality?${DAYS}`);
    page.on("dialog", (dialog) => void dialog.accept("too wide"));
    await page
      .getByRole("row", { name: /A refusal/ })
      .getByRole("cell", { name: "1", exact: true })
      .waitFor();
    await page.getByRole("button", { name: /Revoke/ }).click();
    await page.getByText("None holds.").waitFor();
  });

  it("links to the report of its days, which is to be printed", async () => {
    await deliver(createAnswer("first", ["surely"]), createAnswer("clean"));
    const page = await open(`#/quality?${DAYS}`);
    await page.getByRole("link", { name: "Supervision report of these days" }).click();
    await page.getByRole("heading", { name: "What the rules miss" }).waitFor();
    await page.getByText("2026-11-01 to 2026-11-30 (UTC)").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it.each([["light"], ["dark"]] as const)(
    "fits a phone and is readable: %s",
    async (colorScheme) => {
      await deliver(createAnswer("first", ["surely"]), createAnswer("clean"));
      const page = await open(`#/quality?${DAYS}`, { viewport: PHONE, colorScheme });
      await page.getByRole("row", { name: RULE }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
      expect(await findViolations(page)).toEqual([]);
    },
  );
});
