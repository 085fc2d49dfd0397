import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, PHONE, usePages } from "../helpers/browser.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { START } from "../platform/helpers.ts";
import {
  createDeliveries,
  DAY,
  deliver,
  findKey,
  listSessions,
} from "../platform/records/records-helpers.ts";

describe.skipIf(!hasBrowser)("the records' page", { timeout: 120_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;
  let directory: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
    const database = join(directory, "platform.db");
    const options = { port: 0, database, retention: [{ name: "all", days: 30 }] };
    const before = await startPlatform({ ...options, clock: createFakeClock(START) });
    const deliveries = createDeliveries();
    await deliver(before, deliveries.plan(["held", "other", "held"]));
    await deliver(before, deliveries.plan(["other", "third"]));
    await before.close();
    platform = await startPlatform({ ...options, clock: createFakeClock(START + 60 * DAY) });
  });
  afterEach(async () => {
    await pages.close();
    await platform.close();
    rmSync(directory, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  async function open(options?: BrowserContextOptions): Promise<Page> {
    const page = await pages.open(`${platform.url}/#/records`, options);
    await page.getByRole("heading", { name: "Retention" }).waitFor();
    return page;
  }

  it("holds, purges, exports, and all of it is verified", async () => {
    const page = await open();
    await page.getByRole("row", { name: "all every conversation 30 days 3 0 0" }).waitFor();

    const place = page.getByRole("form", { name: "Place a hold" });
    await place.getByLabel("Matter").fill("Doe v. Bank");
    await place.getByLabel("Reason").fill("complaint");
    await place.getByLabel("Conversation").fill((await findKey(platform, "held")) ?? "");
    await place.getByRole("button", { name: "Place hold" }).click();
    await page.getByRole("row", { name: "all every conversation 30 days 2 0 1" }).waitFor();

    const purge = page.getByRole("form", { name: "Purge" });
    await purge.getByLabel("Reason").fill("quarterly");
    expect(await purge.getByRole("button", { name: "Purge" }).isDisabled()).toBe(true);
    await purge.getByLabel("to confirm").fill("purge 2");
    await purge.getByRole("button", { name: "Purge" }).click();
    await purge.getByText("2 conversations removed").waitFor();
    await page.getByRole("row", { name: "all every conversation 30 days 0 0 1" }).waitFor();
    expect(await listSessions(platform)).toEqual(["held"]);

    const form = page.getByRole("form", { name: "Export" });
    await form.getByLabel("What").selectOption({ label: "hold 1: Doe v. Bank" });
    const downloading = page.waitForEvent("download");
    await form.getByRole("button", { name: "Export" }).click();
    const file = join(directory, "held.jsonl");
    await (await downloading).saveAs(file);
    await form.getByText("Exported.").waitFor();
    const exported = await runCommand(["verify", file]);
    expect(exported.out).toMatch(/^verified: 1 conversation, 2 events, 0 findings; /);

    const whole = await runCommand(["verify", platform.url]);
    expect(whole.out).toContain("purges: as the audit trail has it; 2 purged batches, 3 events");
    expect([exported.code, whole.code]).toEqual([0, 0]);

    await page.getByRole("button", { name: "Release…" }).click();
    await page.getByLabel("Reason of the release").fill("settled");
    await page.getByRole("button", { name: "Release now" }).click();
    await page.getByText("released by local").waitFor();
    await page.getByRole("row", { name: "all every conversation 30 days 1 0 0" }).waitFor();
  });

  it.each([["light"], ["dark"]] as const)(
    "fits a phone and is readable: %s",
    async (colorScheme) => {
      const page = await open({ viewport: PHONE, colorScheme });
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    },
  );
});
