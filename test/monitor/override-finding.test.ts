import { createHash } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { builtInModelText } from "../../src/compliance/learned/built-in-model-text.ts";
import { builtInModelFacts } from "../../src/compliance/learned/built-in-second-look.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { POLICY, read } from "../compliance/packs/policy-fixture.ts";

const ANSWER =
  "The card is free, there are no fees of any kind. A markup of 3 % applies, and a $95 annual fee.";
const OVERRIDE = {
  overridePackId: "example-bank",
  overridePackVersion: "1.0.0",
  overridePackSha256: createHash("sha256").update(POLICY).digest("hex"),
};
const SECOND_LOOK = {
  secondLookVersion: builtInModelFacts().version,
  secondLookSha256: builtInModelText().sha256,
};

let platform: Platform | undefined;
afterEach(() => platform?.close());

async function list(path: string): Promise<readonly Record<string, unknown>[]> {
  const body = (await (await fetch(`${platform?.url}/api/${path}`)).json()) as Record<
    string,
    readonly Record<string, unknown>[]
  >;
  return body[path.split("?")[0] ?? ""] ?? [];
}

it("a finding of a rule that a pack has changed names the pack, and the model that confirmed it: on the event and in telemetry", async () => {
  platform = await startPlatform({ port: 0, otlpPort: 0 });
  const monitor = new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint: platform.url,
    enableLogging: false,
    otlp: [{ url: platform.otlpUrl ?? "" }],
  });
  monitor.complianceEngine?.addRulePack(read(POLICY));
  await monitor.ready();
  monitor.trackAgentResponse("assistant", "session-1", ANSWER);
  await monitor.flush();
  await monitor.shutdown();

  const [row] = await list("events?type=agent_response");
  expect(row?.["event"]).toMatchObject({
    complianceFlags: [{ rule: "consumer-protection-fees", context: OVERRIDE }],
  });
  const records = (await list("logs")) as readonly { record: Record<string, unknown> }[];
  expect(row?.["event"]).toMatchObject({ complianceFlags: [{ context: SECOND_LOOK }] });
  // The policy `none` lets no text through; who changed the rule is none.
  expect(JSON.stringify(records)).not.toContain("markup");
  const attributesOf = (name: string) =>
    records.find(({ record }) => record["eventName"] === name)?.record["attributes"];
  expect(attributesOf("agent_monitor.agent.response")).toMatchObject({
    "agent_monitor.compliance.violations": [
      {
        rule: "consumer-protection-fees",
        detectedPattern: "consumer-protection-fees/free-with-fee",
        spans: [{ source: "agentResponse", start: 28, end: 72 }],
        ...OVERRIDE,
        ...SECOND_LOOK,
      },
    ],
  });
  expect(attributesOf("agent_monitor.compliance.finding")).toMatchObject({
    "agent_monitor.compliance.override.pack.id": OVERRIDE.overridePackId,
    "agent_monitor.compliance.override.pack.version": OVERRIDE.overridePackVersion,
    "agent_monitor.compliance.override.pack.sha256": OVERRIDE.overridePackSha256,
    "agent_monitor.compliance.second_look.version": SECOND_LOOK.secondLookVersion,
    "agent_monitor.compliance.second_look.sha256": SECOND_LOOK.secondLookSha256,
  });
});
