import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, PHONE, usePages } from "../helpers/browser.ts";
import { createBatch, type JsonObject, postBatch } from "../platform/helpers.ts";
import { createAnswer, RULE } from "../platform/quality/desk.ts";

const USERS = [
  { name: "anna", role: "reviewer", key: "reviewer-key-anna-01" },
  { name: "cara", role: "supervisor", key: "supervisor-key-cara" },
] as const;
const [ANNA, CARA] = USERS;
const QUOTE = "no sure return on card 4539 5787 6362 1486, of course";

describe.skipIf(!hasBrowser)("suppressions on the page", { timeout: 120_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform({ port: 0, users: USERS, review: { suppressionDays: 30 } });
    await deliver("first");
  });
  afterEach(async () => {
    await pages.close();
    await platform.close();
    expect(complaints).toEqual([]);
  });

  const deliver = (session: string) =>
    postBatch(platform, createBatch([createAnswer(session, [QUOTE])]));

  const open = (
    { key }: { readonly key: string },
    path: string,
    options?: BrowserContextOptions,
  ): Promise<Page> =>
    pages.open(`${platform.url}/#token=${key}`, options, (page) => {
      page.once("load", () => void page.goto(`${platform.url}/${path}`));
    });

  async function ask(path: string, body?: object): Promise<JsonObject> {
    const response = await fetch(platform.url + path, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${CARA.key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as JsonObject;
  }

  /** Closes the item as a false positive, and returns its key. */
  async function close(): Promise<string> {
    const { items } = (await ask("/api/reviews")) as { items: { key: string }[] };
    const key = items[0]?.key ?? "";
    const disposition = { disposition: "false_positive", reasonCode: "definition" };
    await ask(`/api/reviews/${key}/actions`, { action: "close", ...disposition });
    return key;
  }

  it("are made of a false positive and revoked by keyboard alone", async () => {
    const page = await open(CARA, "#/queue");
    page.on("dialog", (dialog) => void dialog.accept("too wide"));
    await page.locator("[data-item]").waitFor();
    await page.keyboard.press("j");
    await page.locator(".decision").waitFor();
    await page.keyboard.press("d");
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "Review" });
    await panel.getByRole("button", { name: `Suppress ${RULE} in future…` }).waitFor();
    await page.keyboard.press("s");
    const form = panel.getByRole("form", { name: `Suppress ${RULE} in future` });
    await form.locator("[name=phrase]:focus").waitFor();
    expect(await form.getByLabel("Words of the quote").inputValue()).toBe("no sure return on card");
    expect(await form.getByLabel("Why").inputValue()).toBe("refusal or warning");
    expect(await findViolations(page)).toEqual([]);
    // A field for a date has several stops.
    const reason = form.locator("[name=reason]:focus");
    for (let stops = 0; stops < 10 && (await reason.count()) === 0; stops++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("A refusal.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await panel
      .getByRole("status")
      .getByText(/“no sure return on card” are held back/)
      .waitFor();

    await deliver("second");
    const { items } = (await ask("/api/reviews")) as { items: JsonObject[] };
    expect(items).toEqual([]);
    const { suppressions } = (await ask("/api/suppressions")) as { suppressions: JsonObject[] };
    expect(suppressions).toMatchObject([
      { rule: RULE, agentId: "agent-1", phrase: "no sure return on card", heldBack: 1 },
    ]);
    const days = (Number(suppressions[0]?.["until"]) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(28);
    expect(days).toBeLessThanOrEqual(30);

    await panel.getByRole("link", { name: "suppressions" }).waitFor();
    await panel.locator(".suppress a:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Revoke/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("None holds.").waitFor();
  });

  it("say why one can't be made, and keep what was typed while the page follows the item", async () => {
    const key = await close();
    const page = await open(CARA, `#/c/${key}`);
    await page.getByRole("button", { name: /^Suppress/ }).click();
    const form = page.getByRole("form", { name: `Suppress ${RULE} in future` });
    await form.getByLabel("Words of the quote").fill("something else");
    await form.getByLabel("In answers of").selectOption("every agent");
    await ask(`/api/reviews/${key}/actions`, { action: "comment", comment: "seen" });
    await page.getByText(/comment · seen/).waitFor();
    expect(await form.getByLabel("Words of the quote").inputValue()).toBe("something else");
    expect(await form.getByLabel("In answers of").inputValue()).toBe("");
    await form.getByRole("button", { name: "Suppress" }).click();
    await form
      .getByRole("alert")
      .getByText("phrase must be words of the finding's quote")
      .waitFor();
    complaints.length = 0;
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });

  it("are offered to nobody who may not make one", async () => {
    const key = await close();
    const page = await open(ANNA, `#/c/${key}`);
    await page.getByText("false positive, cara").waitFor();
    expect(await page.getByRole("button", { name: /^Suppress/ }).count()).toBe(0);
  });

  it.each([["light"], ["dark"]] as const)(
    "fit a phone and are readable: %s",
    async (colorScheme) => {
      const key = await close();
      for (const path of [`#/q/${key}`, `#/c/${key}`]) {
        const page = await open(CARA, path, { viewport: PHONE, colorScheme });
        await page.getByRole("button", { name: /^Suppress/ }).click();
        await page.getByRole("form", { name: /^Suppress/ }).waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
        expect(await findViolations(page)).toEqual([]);
      }
    },
  );
});
