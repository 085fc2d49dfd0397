import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlatform } from "../../src/platform/index.ts";
import { createBatch, createEvent, KEY, postBatch } from "../platform/helpers.ts";
import { CLIENT, startIdentityProvider } from "../platform/identity-provider.ts";
import { findViolations, hasBrowser, launchBrowser } from "../helpers/browser.ts";

const CARD = "4539 5787 6362 1486";
const MASKED = "**** **** **** 1486";
const PORT = 45_190;

describe.skipIf(!hasBrowser)("a person", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  it("signs in with the bank's provider, sees a card masked, unmasks it with a reason, and signs out", async () => {
    const provider = await startIdentityProvider([`http://127.0.0.1:${PORT}/login/callback`]);
    const platform = await startPlatform({
      port: PORT,
      apiKey: KEY,
      oidc: {
        issuer: provider.issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        roles: { reviewers: "reviewer" },
      },
    });
    const content = `Is ${CARD} my card?`;
    await postBatch(
      platform,
      createBatch([createEvent("user_message", { content, contentLength: content.length })]),
    );
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${platform.url}/#/`);
    await page.click("[data-action=sign-in]");
    await page.fill("input[name=login]", "anna");
    await page.fill("input[name=password]", "any");
    await page.click("button[type=submit]");
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-user]");
    expect(await page.textContent("[data-user]")).toBe("anna, reviewer");
    await page.click("a[href^='#/c/']");
    await page.waitForSelector("[data-action=unmask]");
    expect(await page.textContent(".transcript")).toContain(MASKED);
    expect(await findViolations(page)).toEqual([]);
    page.on("dialog", (dialog) => void dialog.accept("the customer has asked"));
    await page.click("[data-action=unmask]");
    await page.locator(".transcript").getByText(CARD).waitFor();
    await page.click("[data-action=unmask]");
    await page.locator(".transcript").getByText(MASKED).waitFor();
    await page.click("[data-action=sign-out]");
    await page.waitForSelector("[data-action=sign-in]");
    await page.context().close();
    await platform.close();
    await provider.close();
  });
});
