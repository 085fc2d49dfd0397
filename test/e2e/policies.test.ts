import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, NARROW, usePages } from "../helpers/browser.ts";
import { createBatch, createEvent, postBatch } from "../platform/helpers.ts";

const PACK = readFileSync(join(import.meta.dirname, "../../examples/policy/policy.yaml"), "utf8");

describe.skipIf(!hasBrowser)("the pages of policies and operations", { timeout: 120_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform({ port: 0, faults: true });
  });
  afterEach(async () => {
    await pages.close();
    await platform.close();
    expect(complaints).toEqual([]);
  });

  const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
    pages.open(`${platform.url}/${path}`, options, (page) => page.setDefaultTimeout(60_000));

  it("find a rule, and say what it looks for and what has arrived of it", async () => {
    const flag = {
      rule: "privacy-iban",
      category: "privacy",
      severity: "violation",
      description: "d",
      context: { ruleVersion: "1.0.9", packVersion: "1.0.0" },
    };
    await postBatch(
      platform,
      createBatch([createEvent("agent_response", { complianceFlags: [flag] })]),
    );
    const page = await open("#/policies");
    await page.getByLabel("Search").fill("iban gdpr");
    await page.getByText("No rule matches.").waitFor();
    await page.getByLabel("Search").fill("iban");
    await page.getByText("1 of 49 rules").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "IBAN exposure" }).click();
    await page.getByRole("cell", { name: "1.0.9" }).waitFor();
    await page.getByText("What it looks for").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByText("History of changes").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("mark in a text what the engine finds, by keys alone", async () => {
    const page = await open("#/policies/playground");
    await page.getByLabel("Agent's answer").focus();
    await page.keyboard.type("My account is DE30500105170648920731, <b>really</b>.");
    await page.keyboard.press("Control+Enter");
    await page.locator("mark.violation").waitFor();
    expect(await page.locator("mark.violation").textContent()).toMatch(/^DE30500105170648920731\d/);
    expect(await page.locator(".tried-text").textContent()).toContain("<b>really</b>");
    expect(await findViolations(page)).toEqual([]);
  });

  it("run a pack over what is stored, and name what is wrong with one", async () => {
    const content = "Sure, we will waive the fee for you.";
    const answer = createEvent("agent_response", { content, contentLength: content.length });
    await postBatch(platform, createBatch([answer, createEvent("agent_response")]));
    const page = await open("#/policies/back-test");
    await page.getByLabel("Pack, as YAML").fill("pack: 5");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("alert").getByText("line 1, column 7").first().waitFor();
    // The browser writes each refusal to its console.
    complaints.length = 0;
    await page.getByLabel("Pack, as YAML").fill(PACK);
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("500.0 alarms per 1,000 answers with the pack, 0.0 without").waitFor();
    await page.getByRole("row", { name: /Fee waiver/ }).waitFor();
    await page.getByText(content).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("show what arrives, why it is rejected, and set faults", async () => {
    await postBatch(platform, createBatch([createEvent(), 5]));
    const page = await open("#/operations");
    await page.getByRole("cell", { name: "unknown_type" }).waitFor();
    await page.locator("select[name=kind]").selectOption("503");
    await page.locator("input[name=count]").fill("2");
    await page.getByRole("button", { name: "Set" }).click();
    await page.getByText("2 of 2 left").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect((await postBatch(platform, createBatch())).status).toBe(503);
    await page.getByText("1 of 2 left").waitFor();
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.getByText("None is set.").waitFor();
    expect((await postBatch(platform, createBatch())).status).toBe(202);
  });

  it("say when the platform does not answer, and keep what they have", async () => {
    const page = await open("#/operations");
    await page.getByText("Nothing has arrived yet.").waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.getByText("The platform does not answer.").waitFor();
    await page.getByText("Nothing has arrived yet.").waitFor();
    complaints.length = 0;
  });

  it.each([["light"], ["dark"]] as const)("fit a phone: %s", async (colorScheme) => {
    await postBatch(platform, createBatch([createEvent(), 5]));
    const page = await open("#/operations", { viewport: NARROW, colorScheme });
    const parts = [
      ["#/operations", ".tiles"],
      ["#/policies", ".rules table"],
      ["#/policies/playground", "textarea"],
      ["#/policies/back-test", "textarea"],
    ] as const;
    for (const [path, shown] of parts) {
      await page.goto(`${platform.url}/${path}`);
      await page.locator(shown).first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(NARROW.width);
      expect(await findViolations(page)).toEqual([]);
    }
  });
});
