import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, launchBrowser } from "../helpers/browser.ts";
import { createBatch, createEvent, postBatch, START } from "../platform/helpers.ts";

const DAY = 86_400_000;

describe.skipIf(!hasBrowser)("finding conversations", { timeout: 120_000 }, () => {
  let browser: Browser;
  let platform: Platform;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    platform = await startPlatform({ port: 0 });
    const call = (sessionId: string, days: number, more: object) => [
      createEvent("user_message", {
        sessionId,
        agentVersion: "2.4.0",
        environment: "production",
        content: `Transfer for ${sessionId}, please`,
        contentLength: 30,
        timestamp: START - days * DAY,
      }),
      createEvent("tool_result", {
        sessionId,
        toolName: "transfer_funds",
        agentVersion: "2.4.0",
        environment: "production",
        timestamp: START - days * DAY,
        success: false,
        ...more,
      }),
    ];
    await postBatch(
      platform,
      createBatch([
        ...call("wanted-1", 1, {}),
        ...call("wanted-2", 3, {}),
        ...call("long-ago", 30, {}),
        ...call("went-well", 1, { success: true }),
        ...call("other-version", 1, { agentVersion: "2.3.0" }),
        ...call("staged", 1, { environment: "staging" }),
      ]),
    );
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await platform.close();
    expect(complaints).toEqual([]);
  });

  async function open(width = 1280): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 860 } });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(platform.url);
    return page;
  }

  it("finds every failed call of version 2.4.0 in production last week, and the address keeps it", async () => {
    const page = await open();
    await page.getByText("More filters").click();
    await page.getByLabel("Environment", { exact: true }).selectOption("production");
    await page.getByLabel("Version", { exact: true }).selectOption("2.4.0");
    await page.getByLabel("Errors").selectOption("A tool call failed");
    await page.getByRole("textbox", { name: "From (UTC)" }).fill("2026-11-14");
    await page.getByRole("textbox", { name: "Before (UTC)" }).fill("2026-11-21");
    await page.getByText("2 conversations").waitFor();
    const rows = page.getByRole("navigation", { name: "Conversations" }).getByRole("link");
    expect(await rows.allTextContents()).toEqual([
      expect.stringContaining("wanted-1"),
      expect.stringContaining("wanted-2"),
    ]);
    expect(await findViolations(page)).toEqual([]);
    await page.reload();
    await page.getByText("2 conversations").waitFor();
    await page.getByRole("button", { name: "Remove From (UTC): 2026-11-14" }).click();
    await page.getByText("3 conversations").waitFor();
  });

  it("keeps what is being typed when the list is read again", async () => {
    const page = await open(1280);
    await page.getByRole("link", { name: /wanted-1/ }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("long");
    const come = createEvent("user_message", { sessionId: "just-come", content: "Just come" });
    await postBatch(platform, createBatch([come]));
    await page.getByRole("link", { name: /Just come/ }).waitFor();
    await page.keyboard.type(" ago");
    expect(await page.getByRole("searchbox").inputValue()).toBe("long ago");
    await page.keyboard.press("Enter");
    await page.locator("mark", { hasText: "long" }).first().waitFor();
  });

  it("finds words by keyboard, marks them, and says where nothing matches", async () => {
    const page = await open(360);
    await page.getByRole("link", { name: /wanted-1/ }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("long ago");
    await page.keyboard.press("Enter");
    await page.locator("mark", { hasText: "long" }).first().waitFor();
    await expect.poll(() => page.locator(".list .scroll li").count()).toBe(1);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("searchbox").fill("nothing of the kind");
    await page.keyboard.press("Enter");
    await page.getByText("No conversation matches this filter.").waitFor();
  });
});
