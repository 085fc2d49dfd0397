import { existsSync } from "node:fs";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 780 };
/** The narrowest page. */
export const NARROW = { width: 360, height: 780 };

/** Whether there is a browser; without one its tests are skipped. */
export const hasBrowser = existsSync(CHROMIUM);

if (!hasBrowser)
  process.stderr.write(`skipped, there is no browser at ${CHROMIUM}; set CHROMIUM_PATH\n`);

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}

/** Runs axe inside the page; the page's policy keeps out scripts, but not the debugger's. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

/** Has one browser for the tests of a suite, each with pages of its own. */
export function usePages() {
  let browser: Browser;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser.close());
  beforeEach(() => {
    complaints.length = 0;
  });
  return {
    /** Errors of the test's pages. */
    complaints,
    /** Opens a page. @param prepare - Gets the page before it has an address. */
    async open(
      url: string,
      options: BrowserContextOptions = {},
      prepare?: (page: Page) => void,
    ): Promise<Page> {
      const context = await browser.newContext({ viewport: DESKTOP, ...options });
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      prepare?.(page);
      await page.goto(url);
      return page;
    },
    /** Closes the test's pages: before the platform, which they would miss. */
    async close(): Promise<void> {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  };
}
