import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, usePages } from "../helpers/browser.ts";
import { createBatch, createEvent, postBatch, START } from "../platform/helpers.ts";

const CONVERSATIONS = 2000;
/** Rows that are drawn at most: those in view, and some above and below. */
const MOST_ROWS = 110;

const WATCH_SHIFTS = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shifts += value;
  }).observe({ type: "layout-shift" });
`;

/** Questions of one line and of two, so that rows differ in height. */
function toQuestion(index: number): string {
  return index % 3 === 0
    ? `Question ${index}: why was I charged a fee for the payment to the utility company?`
    : `Question ${index}`;
}

describe.skipIf(!hasBrowser)("a list of thousands", { timeout: 180_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ port: 0 });
    for (let first = 0; first < CONVERSATIONS; first += 500) {
      const events = Array.from({ length: 500 }, (_, index) =>
        createEvent("user_message", {
          sessionId: `session-${first + index}`,
          content: toQuestion(first + index),
          timestamp: START - 1000 * (first + index),
        }),
      );
      await postBatch(platform, createBatch(events));
    }
  }, 120_000);
  afterEach(() => pages.close());
  afterAll(() => platform.close());

  const links = (page: Page) =>
    page.getByRole("navigation", { name: "Conversations" }).getByRole("link");
  const scrollBy = async (page: Page, by: number): Promise<void> => {
    await page.mouse.wheel(0, by);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  };

  it("is scrolled to its end and back: few rows are drawn, and nothing shifts", async () => {
    const page = await pages.open(platform.viewerUrl);
    await page.getByText("Question 49", { exact: true }).waitFor({ state: "attached" });
    await page.getByText("2,000 conversations").waitFor();
    await page.evaluate(WATCH_SHIFTS);
    await links(page).first().hover();
    const last = page.getByText(`Question ${CONVERSATIONS - 1}`);
    let most = 0;
    for (let step = 0; step < 2000 && (await last.count()) === 0; step++) {
      await scrollBy(page, 1500);
      most = Math.max(most, await links(page).count());
    }
    await expect.poll(() => last.isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Show older" }).count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    for (let step = 0; step < 20; step++) await scrollBy(page, -900);
    const pane = page.locator("nav.list .scroll");
    await pane.evaluate((one) => one.scrollTo(0, one.scrollHeight / 3));
    await scrollBy(page, 100);
    await pane.evaluate((one) => one.scrollTo(0, 0));
    await page.getByText(toQuestion(0)).waitFor();
    await expect.poll(() => links(page).count()).toBeLessThan(MOST_ROWS);
    expect(most).toBeLessThan(MOST_ROWS);
    expect(await page.evaluate("shifts")).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("goes on by keys where the row that had the focus is no more drawn", async () => {
    const page = await pages.open(platform.viewerUrl);
    await links(page).nth(1).focus();
    await links(page).first().hover();
    for (let step = 0; step < 40; step++) await scrollBy(page, 600);
    await expect.poll(() => page.getByText("Question 1", { exact: true }).count()).toBe(0);
    const top = () => page.locator("nav.list .scroll").evaluate((one) => one.scrollTop);
    const before = await top();
    await page.keyboard.press("PageDown");
    await expect.poll(top).toBeGreaterThan(before);
  });

  it("keeps the rows that newer conversations move off the newest page", async () => {
    const page = await pages.open(platform.viewerUrl);
    await links(page).first().hover();
    const moved = page.getByText("Question 46", { exact: true });
    const older = page.getByText("Question 70", { exact: true });
    for (let step = 0; step < 99 && (await older.count()) === 0; step++) await scrollBy(page, 300);
    await page.locator("nav.list .scroll").evaluate((one) => one.scrollTo(0, 0));
    const newer = Array.from({ length: 10 }, (_, index) =>
      createEvent("user_message", {
        sessionId: `newer-${index}`,
        content: `Newer ${index}`,
        timestamp: START + 1000 * (index + 1),
      }),
    );
    await postBatch(platform, createBatch(newer));
    await page.getByText("Newer 9").waitFor();
    for (let step = 0; step < 20 && (await moved.count()) === 0; step++) await scrollBy(page, 300);
    expect(await moved.count()).toBe(1);
  });
});
