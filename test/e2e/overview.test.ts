import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, NARROW, usePages } from "../helpers/browser.ts";
import {
  createAgent,
  createBatch,
  createEvent,
  type JsonObject,
  postBatch,
  putAgent,
} from "../platform/helpers.ts";

const DAY = 86_400_000;
/** An agent's id may be any text. */
const AGENT = "desk/eu 100%?";
const RULE = "consumer-protection-guaranteed-returns";

describe.skipIf(!hasBrowser)("overview and agents", { timeout: 120_000 }, () => {
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

  const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
    pages.open(`${platform.url}/${path}`, options, (page) => page.setDefaultTimeout(60_000));

  function createAnswer(index: number, agentVersion: string, isFlagged: boolean): JsonObject {
    const flag = {
      rule: RULE,
      category: "consumer_protection",
      severity: "violation",
      description: "A return is promised.",
      context: { detectedContent: "guaranteed", detectedPattern: "promised" },
    };
    return createEvent("agent_response", {
      sessionId: `session-${index}`,
      agentId: AGENT,
      agentVersion,
      environment: "production",
      timestamp: Date.now() - (index % 20) * DAY,
      metadata: { llmLatency: 800, cost: 0.004 },
      ...(isFlagged && { complianceFlags: [flag], requiresReview: true, riskScore: 80 }),
    });
  }

  async function seed(): Promise<void> {
    for (const [version, riskLevel, systemPrompt] of [
      ["1.0", "low", "Be brief.\nNever promise a return."],
      ["2.0", "high", "Be brief.\nNever promise a return or a rate."],
    ] as const) {
      const tool = { name: "transfer_funds", description: "d", category: "payment", riskLevel };
      const agent = createAgent({ id: AGENT, version, systemPrompt, availableTools: [tool] });
      await putAgent(platform, agent, AGENT);
    }
    const answers = Array.from({ length: 60 }, (_, index) =>
      createAnswer(index, index % 2 === 0 ? "1.0" : "2.0", index % 3 === 0),
    );
    expect((await postBatch(platform, createBatch(answers))).status).toBe(202);
  }

  it("shows figures whose links lead to what they count, with the filter in the address", async () => {
    await seed();
    const page = await open("#/overview?period=30d");
    const figures = page.getByRole("list", { name: "Figures" });
    await figures.getByText("60", { exact: true }).waitFor();
    await figures.getByText("20", { exact: true }).waitFor();
    await page.getByLabel("Version", { exact: true }).selectOption("2.0");
    await figures.getByText("30", { exact: true }).waitFor();
    expect(page.url()).toContain("version=2.0");
    expect(await findViolations(page)).toEqual([]);
    await figures.getByRole("link", { name: /Open now/ }).click();
    await page.locator("[data-item]").nth(9).waitFor();
    expect(await page.locator("[data-item]").count()).toBe(10);
  });

  it("draws what stands in the table behind it, and is read by keys", async () => {
    await seed();
    const page = await open("#/overview?period=30d");
    const chart = page.getByRole("img", { name: /^Findings over time by severity/ });
    await chart.locator("rect.violation").first().waitFor();
    const bars = await chart.locator("rect.violation").count();
    const card = page.getByRole("region", { name: "Findings over time", exact: true });
    await card.getByText("Show as table").click();
    const cells = await card.locator("tbody td").allTextContents();
    expect(cells.filter((text) => text !== "0")).toHaveLength(bars);
    expect(cells.reduce((sum, text) => sum + Number(text), 0)).toBe(20);
    await chart.focus();
    await page.keyboard.press("ArrowRight");
    await card
      .getByRole("status")
      .getByText(/^\d{4}-\d\d-\d\d · /)
      .waitFor();
    await card.getByRole("button", { name: "By rule" }).click();
    await card.getByRole("link", { name: new RegExp(RULE) }).waitFor();
  });

  it("shows what has changed between two versions of an agent, whatever its id is", async () => {
    await seed();
    const page = await open("#/agents?period=30d");
    await page.getByRole("link", { name: "Personal banking assistant" }).click();
    await page.getByRole("heading", { name: AGENT }).waitFor();
    const tools = page.getByRole("region", { name: "Tools", exact: true });
    await tools.locator("del", { hasText: "low" }).waitFor();
    await tools.locator("ins", { hasText: "high" }).waitFor();
    const prompt = page.getByRole("region", { name: /^Prompt of 2.0/ });
    expect(await prompt.locator(".added").textContent()).toContain(
      "added: Never promise a return or a rate.",
    );
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("combobox", { name: /compared with/ }).selectOption("2.0");
    await page.getByText("The prompt is the same in both.").waitFor();
    expect(page.url()).toContain("base=2.0");
  });

  it("says that there is nothing, and what is wrong", async () => {
    const page = await open("#/agents");
    await page.getByText("No agent yet.").waitFor();
    await page.goto(`${platform.url}/#/agents/nobody`);
    await page.getByText("There is no such agent").waitFor();
    await page.goto(`${platform.url}/#/overview`);
    await page.getByText("No finding in this period.").waitFor();
    await page.route("**/api/overview*", (route) => route.abort());
    await page.getByRole("alert").getByText("the platform does not answer").waitFor();
    complaints.length = 0;
  });

  it.each([["light"], ["dark"]] as const)(
    "fits 360 pixels and is readable: %s",
    async (colorScheme) => {
      await seed();
      for (const path of [
        "#/overview?period=30d",
        "#/agents",
        `#/agents/${encodeURIComponent(AGENT)}`,
      ]) {
        const page = await open(path, { viewport: NARROW, colorScheme });
        await page.locator(".figures").first().waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(NARROW.width);
        expect(await findViolations(page)).toEqual([]);
      }
    },
  );
});
