import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, PHONE, usePages } from "../helpers/browser.ts";
import { createBatch, createEvent, postBatch } from "../platform/helpers.ts";

const NAME = "<b>Failed</b> calls & more";

describe.skipIf(!hasBrowser)("saved views", { timeout: 120_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform({ port: 0 });
    await postBatch(platform, createBatch([createEvent(), createEvent("error")]));
  });
  afterEach(async () => {
    await pages.close();
    await platform.close();
    expect(complaints).toEqual([]);
  });

  const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
    pages.open(`${platform.url}/${path}`, options);

  const save = (page: string, name: string, query: string, isShared = false) =>
    fetch(`${platform.url}/api/views`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ page, name, query, isShared }),
    });

  it("are saved, opened, renamed and deleted by keyboard alone; the address has the filters", async () => {
    const page = await open("#/?error=true");
    page.on("dialog", (dialog) => void dialog.accept());
    const views = page.locator("details.views");
    const summary = views.locator("summary");
    await summary.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type(NAME);
    await page.keyboard.press("Enter");
    await views.getByText(`${NAME} is saved.`).waitFor();
    await summary.getByText(`View: ${NAME}`).waitFor();
    expect(await findViolations(page)).toEqual([]);

    await page.goto(`${platform.url}/#/`);
    await summary.getByText("Views", { exact: true }).waitFor();
    await page.keyboard.press("Tab");
    await views.getByRole("link", { name: NAME }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/\?error=true$/);
    await summary.getByText(`View: ${NAME}`).waitFor();
    expect(await summary.evaluate("document.activeElement.matches('.views > summary')")).toBe(true);

    await page.keyboard.press("Enter");
    await views.getByRole("button", { name: `Change ${NAME}` }).focus();
    await page.keyboard.press("Enter");
    await views.locator("input[name=name]:focus").first().waitFor();
    await page.keyboard.type("Failures");
    await page.keyboard.press("Enter");
    await summary.getByText("View: Failures").waitFor();
    await views.getByRole("button", { name: "Delete Failures" }).focus();
    await page.keyboard.press("Enter");
    await summary.getByText("Views", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    expect(await views.getAttribute("open")).toBeNull();
    expect(page.url()).toMatch(/#\/\?error=true$/);
  });

  it("are of the queue as well, shared by a supervisor, and take the present filters", async () => {
    await save("queue", "Overdue", "overdue=true");
    const page = await open("#/queue?overdue=true&order=due");
    const views = page.locator("details.views");
    await views.locator("summary").click();
    await views.getByRole("button", { name: "Change Overdue" }).click();
    const form = views.getByRole("form", { name: "Change Overdue" });
    await form.getByLabel("with the present filters").check();
    await form.getByLabel("for everybody").check();
    await form.getByRole("button", { name: "Save" }).click();
    await views.getByText("shared by local").waitFor();
    await views.locator("summary").getByText("View: Overdue").waitFor();
  });

  it("keep what is typed while the page follows the queue", async () => {
    const page = await open("#/queue?state=open");
    const views = page.locator("details.views");
    await views.locator("summary").click();
    await views.getByLabel("Name").fill("Half of a na");
    for (let polls = 0; polls < 2; polls++) await page.waitForResponse(/api\/reviews\?/);
    expect(await views.getByLabel("Name").inputValue()).toBe("Half of a na");
  });

  it("say what is wrong with a name", async () => {
    await save("conversations", "Failures", "error=call");
    const page = await open("#/?error=true");
    const views = page.locator("details.views");
    await views.locator("summary").click();
    await views.getByLabel("Name").fill("Failures");
    await views.getByRole("button", { name: "Save these filters" }).click();
    await views.getByRole("alert").getByText("there is a view of this name").waitFor();
    await views.locator("[name=name]:focus").waitFor();
    complaints.length = 0;
  });

  it.each([["light"], ["dark"]] as const)(
    "fit a phone and are readable: %s",
    async (colorScheme) => {
      await save("conversations", "x".repeat(80), "error=true", true);
      for (const path of ["#/?error=true", "#/queue?state=open"]) {
        const page = await open(path, { viewport: PHONE, colorScheme });
        await page.locator("details.views > summary").click();
        await page.getByRole("button", { name: "Save these filters" }).waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
        expect(await findViolations(page)).toEqual([]);
      }
    },
  );
});
