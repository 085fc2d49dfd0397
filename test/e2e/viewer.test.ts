import { beforeEach, afterEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { findViolations, hasBrowser, PHONE, usePages } from "../helpers/browser.ts";
import { AGENTS, createConversations } from "../platform/banking-conversations.ts";
import { createBatch, createEvent, KEY, postBatch, putAgent, START } from "../platform/helpers.ts";

describe.skipIf(!hasBrowser)("the viewer", { timeout: 60_000 }, () => {
  const pages = usePages();
  const { complaints } = pages;
  let platform: Platform;

  beforeEach(async () => {
    platform = await startPlatform({ port: 0 });
  });
  afterEach(async () => {
    await pages.close();
    await platform.close();
  });

  async function seed(): Promise<void> {
    for (const agent of AGENTS) await putAgent(platform, agent, agent.id);
    await postBatch(platform, createBatch(createConversations(START)));
  }

  it("says what to do while it is empty, then shows what arrives by itself", async () => {
    const page = await pages.open(platform.viewerUrl);
    await page.getByText("No conversations yet.").waitFor();
    expect(await page.locator(".empty pre").textContent()).toBe(
      `AGENT_MONITOR_ENDPOINT=${platform.url}`,
    );
    expect(await findViolations(page)).toEqual([]);
    await postBatch(
      platform,
      createBatch([createEvent("user_message", { content: "Is my card blocked?" })]),
    );
    await page.getByRole("link", { name: /Is my card blocked\?/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows a conversation with its findings under the answer they belong to", async () => {
    await seed();
    const page = await pages.open(platform.viewerUrl);
    await page.getByRole("link", { name: /14,000 dollars.*violation.*review/ }).click();
    const answer = page.locator(".turn.agent", {
      hasText: "deposit $9,000 on Monday and the rest at another branch later in the week, then",
    });
    const finding = answer.locator(".finding");
    for (const text of [
      "▲ violation",
      "bsa-aml-structuring-advice",
      "Withdraw the advice",
      "31 U.S.C. § 5324",
      "…deposit $9,000",
    ]) {
      await finding.getByText(text).waitFor();
    }
    await page.getByRole("button", { name: "Next finding (2)" }).click();
    expect(await page.evaluate("document.activeElement.querySelector('code').textContent")).toBe(
      "bsa-aml-structuring-advice",
    );
    await answer.getByText("Event JSON").click();
    await answer.getByText('"interactionType": "agent_response"').waitFor();
    expect(complaints).toEqual([]);
  });

  it("says of an answer that no rule has seen that it was not evaluated, and of no other", async () => {
    const answer = (content: string, metadata: object): object =>
      createEvent("agent_response", { content, contentLength: content.length, metadata });
    await postBatch(
      platform,
      createBatch([
        answer("Early answer", { evaluated: false }),
        answer("", { captured: false }),
        answer("Checked answer", { evaluated: true }),
        answer("Plain answer", {}),
      ]),
    );
    const page = await pages.open(platform.viewerUrl);
    await page.getByRole("link").filter({ hasText: "agent-1" }).first().click();
    await page.getByText("Early answer", { exact: true }).waitFor();
    expect(
      await page
        .locator(".turn.agent")
        .evaluateAll((all) => all.map((turn) => turn.textContent?.includes("not evaluated"))),
    ).toEqual([true, true, false, false]);
    expect(await findViolations(page)).toEqual([]);
  });

  it("shows what the judge says beside the finding that it is about, and what it found itself", async () => {
    const rule = "consumer-protection-guaranteed-returns";
    const toFlag = (description: string, start: number): object => ({
      rule,
      category: "consumer_protection",
      severity: "violation",
      description,
      confidence: 0.8,
      context: { spans: [{ source: "agentResponse", start, end: start + 5 }] },
    });
    const flags = [toFlag("first finding", 0), toFlag("second finding", 20)];
    const answer = createEvent("agent_response", {
      content: "You will double it, and you can never lose a cent.",
      contentLength: 50,
      complianceFlags: flags,
      riskScore: 60,
      requiresReview: true,
    });
    const judged = (finding: object | undefined, metadata: object): object =>
      createEvent("compliance_violation", {
        violationType: "consumer_protection",
        severity: "violation",
        description: "told again",
        ruleId: rule,
        metadata: {
          eventId: answer["eventId"],
          finding,
          evaluator: { id: "agent-monitor.judge", type: "llm_judge", version: "1", model: "m-1" },
          ...metadata,
        },
      });
    const events = [
      answer,
      judged(flags[1], {
        tier: "confirmed",
        opinion: { quote: "never lose a cent", reason: "It promises no loss.", confidence: 0.9 },
        requiresReview: true,
      }),
      judged(flags[0], { tier: "contradicted", opinion: {}, requiresReview: false }),
      judged(toFlag("The agent decides by itself.", 9), {
        tier: "confirmed",
        quote: "You will double it",
        reason: "The agent decides by itself.",
        requiresReview: true,
      }),
    ];
    await postBatch(platform, createBatch(events));
    const page = await pages.open(platform.viewerUrl);
    await page.getByRole("link").filter({ hasText: "agent-1" }).first().click();
    const findings = page.locator(".turn.agent .finding");
    await findings.nth(2).waitFor();
    expect(await findings.count()).toBe(3);
    expect(
      await findings
        .locator("[data-judge]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-judge"))),
    ).toEqual(["contradicted", "confirmed", "confirmed"]);
    await findings.nth(0).getByText("contradicted by the judge (m-1)").waitFor();
    await findings.nth(0).getByText("not in the sample that is reviewed").waitFor();
    await findings.nth(1).getByText("It promises no loss.").waitFor();
    await findings.nth(1).getByText("never lose a cent").waitFor();
    await findings.nth(2).getByText("found by the judge (m-1)").waitFor();
    // An opinion restates a finding: two of the rules and one of the judge's.
    await page.getByRole("button", { name: "Next finding (3)" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    const shot = process.env["SCREENSHOT"];
    if (shot !== undefined) await page.screenshot({ path: shot, fullPage: true });
  });

  it("shows a tool's call and result in one row, open when it failed", async () => {
    await seed();
    const page = await pages.open(platform.viewerUrl);
    await page.getByRole("link", { name: /What is the balance/ }).click();
    await page.locator("details.tool").first().waitFor();
    const rows = await page
      .locator("details.tool")
      .evaluateAll((all) => all.map((row) => row.hasAttribute("open")));
    expect(rows).toEqual([false, true]);
    await page.getByText("payments gateway answered 503", { exact: true }).waitFor();
    await page.locator("details.tool").first().locator("summary").first().click();
    await page.locator(".part", { hasText: '"balance": 3182.4' }).waitFor();
  });

  it("shows content as text, whatever it contains", async () => {
    await seed();
    const page = await pages.open(platform.viewerUrl);
    await page.getByRole("link", { name: /<script>block<\/script>/ }).click();
    await page
      .locator(".content", { hasText: "<b>Please</b> <script>block</script> my card!" })
      .waitFor();
    expect(await page.locator(".content b, .content script").count()).toBe(0);
  });

  it("opens a deep link, follows the conversation as it grows, and names a wrong link", async () => {
    await postBatch(platform, createBatch([createEvent("user_message", { content: "First" })]));
    const page = await pages.open(platform.viewerUrl);
    await page.getByRole("link", { name: /First/ }).click();
    await page.waitForURL(/#\/c\/[\w-]{22}$/);
    await page.reload();
    await page.locator(".content", { hasText: "First" }).waitFor();
    await postBatch(
      platform,
      createBatch([createEvent("user_message", { content: "Second", timestamp: START + 1 })]),
    );
    await page.locator(".content", { hasText: "Second" }).waitFor();
    await page.goto(`${platform.url}/#/c/unknown`);
    await page.getByText("There is no such conversation.").waitFor();
  });

  it("shows every version that handled a conversation, and leaves one environment", async () => {
    const said = (agentVersion: string) => ({ agentVersion, environment: "production" });
    const events = [
      createEvent("user_message", { ...said("2.3.0"), content: "Who are you?" }),
      createEvent("agent_response", { ...said("2.3.0"), timestamp: START + 1 }),
      createEvent("agent_response", { ...said("2.4.0"), timestamp: START + 2 }),
      createEvent("user_message", { sessionId: "other", content: "Is this a test?" }),
    ];
    await postBatch(platform, createBatch(events));
    const page = await pages.open(platform.viewerUrl);
    await page.getByText("versions 2.3.0, 2.4.0 · production").waitFor();
    await page.getByText("version unknown · development").waitFor();
    await page.getByLabel("Environment").selectOption("production");
    await page.getByText("Is this a test?").waitFor({ state: "detached" });
    await page.getByText("Who are you?").first().click();
    await page.locator(".turn.agent .who", { hasText: "2.3.0" }).waitFor();
    await page.locator(".turn.agent .who", { hasText: "2.4.0" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("filters the list and goes back to older conversations", async () => {
    await seed();
    const others = Array.from({ length: 60 }, (_, index) =>
      createEvent("user_message", {
        sessionId: `old-${index}`,
        content: `Old question ${index}`,
        timestamp: START - 1000 * index,
      }),
    );
    await postBatch(platform, createBatch(others));
    const page = await pages.open(platform.viewerUrl);
    const links = page.getByRole("navigation", { name: "Conversations" }).getByRole("link");
    await page.getByRole("button", { name: "Show older" }).press("Enter");
    await page.getByText("Old question 59").waitFor();
    expect(await links.count()).toBe(64);
    await page.getByRole("button", { name: "▲ Violations" }).click();
    await expect.poll(() => links.count()).toBe(1);
  });

  it.each(["light", "dark"] as const)("is accessible in %s", async (colorScheme) => {
    await seed();
    const page = await pages.open(platform.viewerUrl, { colorScheme });
    for (const question of ["What is the balance", "14,000 dollars", "mortgage for"]) {
      await page.getByRole("link", { name: new RegExp(question) }).click();
      await page.getByRole("heading", { name: new RegExp(question) }).waitFor();
      expect(await findViolations(page)).toEqual([]);
    }
  });

  it("fits on a phone, one pane at a time", async () => {
    await seed();
    const page = await pages.open(platform.viewerUrl, { viewport: PHONE });
    const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
    await page.getByRole("link", { name: /What is the balance/ }).click();
    await page.locator(".transcript .tool").first().waitFor();
    expect(await page.getByRole("navigation", { name: "Conversations" }).isVisible()).toBe(false);
    expect(await overflow()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "← Conversations" }).click();
    await page.getByRole("navigation", { name: "Conversations" }).waitFor();
    expect(await overflow()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
  });

  it("can be used with the keyboard alone", async () => {
    await seed();
    const page = await pages.open(platform.viewerUrl);
    await page.getByRole("link", { name: /There is a charge/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /There is a charge/ }).waitFor();
    await page.locator("details.tool summary").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".part", { hasText: '"reason": "suspected fraud"' }).waitFor();
  });

  it("asks for a token where one is needed, and takes it from the printed address", async () => {
    const locked = await startPlatform({ port: 0, apiKey: KEY });
    await postBatch(locked, createBatch([createEvent("user_message", { content: "Private" })]));
    const page = await pages.open(locked.url);
    await page.getByLabel("Token").fill("wrong");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByLabel("Token").fill(KEY);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("link", { name: /Private/ }).waitFor();
    const printed = await pages.open(locked.viewerUrl);
    await printed.getByRole("link", { name: /Private/ }).waitFor();
    expect(printed.url()).toBe(`${locked.url}/#/`);
    await printed.reload();
    await printed.getByRole("link", { name: /Private/ }).waitFor();
    await locked.close();
  });

  it("says that the platform is gone", async () => {
    const gone = await startPlatform({ port: 0 });
    const page = await pages.open(gone.viewerUrl);
    await page.getByText("● live").waitFor();
    await gone.close();
    await page.getByText("✕ offline").waitFor();
  });
});
