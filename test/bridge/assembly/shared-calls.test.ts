import { ROOT_CONTEXT } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import type { BridgedEvent } from "../../../src/bridge/bridged-event.ts";
import type { BridgeSpan } from "../../../src/bridge/bridge-span.ts";
import { EventBridge } from "../../../src/bridge/event-bridge.ts";
import { createFakeClock } from "../../helpers/clock.ts";

const HOOK = "agent-monitor/langchain";
const FETCH = "agent-monitor/fetch";
const MINUTE = 60_000;

interface Given {
  readonly id: string;
  readonly scope: string;
  readonly trace?: string;
  readonly parent?: string;
  /** Milliseconds after the test began. */
  readonly at?: number;
  readonly attributes?: Record<string, unknown>;
}

const toId = (text: string, length: number): string =>
  Buffer.from(text).toString("hex").padEnd(length, "0").slice(0, length);

const messages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

const asked = (question: string) => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": messages("user", question),
});

/** What came of a call, of which the fetch observer or a hook says that nobody has read on. */
const left = (text?: string) => ({
  "gen_ai.response.finish_reasons": ["incomplete"],
  ...(text !== undefined && { "gen_ai.output.messages": messages("assistant", text) }),
});
const whole = (text: string) => ({
  "gen_ai.response.finish_reasons": ["stop"],
  "gen_ai.output.messages": messages("assistant", text),
});

function start() {
  const clock = createFakeClock();
  const told: BridgedEvent[] = [];
  const bridge = new EventBridge({ clock, onEvent: (event) => told.push(event) });
  const begin = ({ id, scope, trace = id, parent, at = 0, attributes = {} }: Given) => {
    const traceId = toId(trace, 32);
    const millis = clock.now() + at;
    const time = (value: number): [number, number] => [
      Math.floor(value / 1e3),
      Math.round((value % 1e3) * 1e6),
    ];
    const span = {
      name: id,
      spanContext: () => ({ traceId, spanId: toId(id, 16), traceFlags: 1 }),
      parentSpanContext:
        parent === undefined ? undefined : { traceId, spanId: toId(parent, 16), traceFlags: 1 },
      startTime: time(millis),
      endTime: [0, 0] as [number, number],
      status: { code: 0 },
      attributes: attributes,
      events: [],
      instrumentationScope: { name: scope },
    } satisfies BridgeSpan;
    bridge.onStart(span, ROOT_CONTEXT);
    return {
      span,
      end(more: object) {
        Object.assign(span.attributes, more);
        Object.assign(span, { endTime: time(clock.now()) });
        bridge.onEnd(span);
      },
    };
  };
  const texts = (): string[] =>
    told.map(({ interaction: { kind, content } }) => `${kind} ${content ?? ""}`);
  return { clock, bridge, told, begin, texts };
}

describe("a call that a hook and the fetch observer tell of in traces of their own", () => {
  it("is told once when the observer gives it up before the hook", async () => {
    const { clock, bridge, begin, texts, told } = start();
    begin({ id: "hook", scope: HOOK, attributes: asked("Fee?") });
    const call = begin({ id: "call", scope: FETCH, at: 5, attributes: asked("Fee?") });
    await clock.advance(MINUTE);
    call.end(left());
    await clock.advance(2 * MINUTE);
    expect(texts()).toEqual(["user_message Fee?", "agent_response "]);
    await clock.advance(10 * MINUTE);
    expect(texts()).toHaveLength(2);
    expect(told[1]?.metadata).toMatchObject({ captured: false });
    expect(bridge.stats()).toMatchObject({ merged: 1, waiting: 0 });
  });

  it("is told once when it is the only one of an agent's run that is given up", async () => {
    const { clock, begin, texts } = start();
    const agent = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "desk",
      "gen_ai.input.messages": messages("user", "Fee?"),
    };
    begin({ id: "agent", trace: "hook", scope: HOOK, attributes: agent });
    const inside = { trace: "hook", parent: "agent", scope: HOOK };
    begin({ id: "hook", ...inside, at: 1, attributes: asked("Fee?") });
    const call = begin({ id: "call", scope: FETCH, at: 5, attributes: asked("Fee?") });
    await clock.advance(MINUTE);
    call.end(left("At n"));
    await clock.advance(15 * MINUTE);
    expect(texts()).toEqual(["user_message Fee?", "agent_response At n"]);
  });

  it("is told once when the hook gives it up before the observer", async () => {
    const { clock, bridge, begin, texts } = start();
    const { span } = begin({ id: "hook", scope: HOOK, attributes: asked("Fee?") });
    const call = begin({ id: "call", scope: FETCH, at: 5, attributes: asked("Fee?") });
    await clock.advance(1000);
    bridge.onAbandoned(span);
    await clock.advance(5 * MINUTE);
    expect(texts()).toEqual(["user_message Fee?", "agent_response "]);
    call.end(left());
    await clock.advance(5 * MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it("is told on when the other one ends at last and knows more", async () => {
    const { clock, begin, texts, told } = start();
    const hook = begin({ id: "hook", scope: HOOK, attributes: asked("Fee?") });
    const call = begin({ id: "call", scope: FETCH, at: 5, attributes: asked("Fee?") });
    await clock.advance(MINUTE);
    call.end(left("None for"));
    await clock.advance(2 * MINUTE);
    hook.end(whole("None for you."));
    await clock.advance(2 * MINUTE);
    expect(texts()).toEqual([
      "user_message Fee?",
      "agent_response None for",
      "agent_response None for you.",
    ]);
    expect(told[2]?.interaction.sessionId).toBe(told[0]?.interaction.sessionId);
    expect([1, 2].map((index) => told[index]?.metadata["finishReason"])).toEqual([
      "incomplete",
      "stop",
    ]);
  });

  it("is one of each customer who asks the same", async () => {
    const { clock, begin, texts } = start();
    for (const customer of ["1", "2"]) {
      begin({ id: `hook${customer}`, scope: HOOK, attributes: asked("Fee?") });
      const attributes = asked("Fee?");
      const call = begin({ id: `call${customer}`, scope: FETCH, at: 5, attributes });
      call.end(left());
    }
    await clock.advance(15 * MINUTE);
    expect(texts()).toHaveLength(4);
  });

  it("is told of both where they are of other models, or were asked something else", async () => {
    const { clock, begin, texts } = start();
    begin({ id: "hook1", scope: HOOK, attributes: asked("Rate?") });
    const other = { ...asked("Fee?"), "gen_ai.request.model": "claude" };
    begin({ id: "hook2", scope: HOOK, attributes: other });
    const call = begin({ id: "call", scope: FETCH, at: 5, attributes: asked("Fee?") });
    call.end(left());
    await clock.advance(15 * MINUTE);
    expect(texts()).toHaveLength(6);
  });
});

it("tells what was seen of a span that is given up at once", async () => {
  const { clock, bridge, begin, told, texts } = start();
  const attributes = { ...asked("Fee?"), ...left("None f") };
  const { span } = begin({ id: "hook", scope: HOOK, attributes });
  bridge.onAbandoned(span);
  await clock.advance(1000);
  expect(texts()).toEqual(["user_message Fee?", "agent_response None f"]);
  expect(told[1]?.metadata).toMatchObject({
    incomplete: true,
    notCaptured: "span_never_ended",
  });
  expect(bridge.stats()).toMatchObject({ abandoned: 1, waiting: 0 });
});
