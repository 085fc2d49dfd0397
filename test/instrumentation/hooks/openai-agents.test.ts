import { describe, expect, it } from "vitest";
import {
  createAgentsTraceProcessor,
  type AgentsSpan,
  type AgentsTraceProcessor,
} from "../../../src/instrumentation/hooks/openai-agents.ts";
import { createHookHost } from "./hook-host.ts";

const TRACE = { traceId: "trace_1", name: "Card desk", groupId: "g1" };

type Data = Record<string, unknown> & { type: string };

/** A span as `@openai/agents` 0.20 hands it over: the same object at both ends, filled in between. */
class TracedSpan implements AgentsSpan {
  readonly traceId = TRACE.traceId;
  error: AgentsSpan["error"] = null;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly spanData: Data;

  constructor(spanId: string, parentId: string | null, spanData: Data) {
    this.spanId = spanId;
    this.parentId = parentId;
    this.spanData = spanData;
  }
}

/** Runs what is inside of a span between its two ends. */
async function inSpan(
  processor: AgentsTraceProcessor,
  span: TracedSpan,
  ends: Record<string, unknown> & { error?: AgentsSpan["error"] } = {},
  inside: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await processor.onSpanStart(span);
  await inside();
  const { error = null, ...data } = ends;
  Object.assign(span.spanData, data);
  span.error = error;
  await processor.onSpanEnd(span);
}

const user = { role: "user", content: "Is card CARD-77 active?" };
const completion = (id: string, message: object, reason: string) => ({
  id,
  object: "chat.completion",
  model: "gpt-5-2026",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: reason }],
  usage: { prompt_tokens: 21, completion_tokens: 11, prompt_tokens_details: { cached_tokens: 4 } },
});
const CALLS = [
  {
    id: "call1",
    type: "function",
    function: { name: "find_card", arguments: '{"card_id":"CARD-77"}' },
  },
];
const ASKED = { content: null, tool_calls: CALLS };

function runCompletions(processor: AgentsTraceProcessor): Promise<void> {
  const generation = (id: string): TracedSpan => new TracedSpan(id, "turn", { type: "generation" });
  const agent = new TracedSpan("agent", "task", { type: "agent", name: "Card agent" });
  const task = new TracedSpan("task", null, { type: "task", name: "Card desk" });
  const turn = new TracedSpan("turn", "agent", { type: "turn", turn: 1 });
  return inSpan(processor, task, {}, () =>
    inSpan(processor, agent, {}, () =>
      inSpan(processor, turn, {}, async () => {
        await inSpan(processor, generation("g1"), {
          model: "gpt-5",
          model_config: { temperature: 0.2, max_tokens: 900 },
          input: [user],
          output: [completion("chatcmpl-1", ASKED, "tool_calls")],
        });
        await inSpan(
          processor,
          new TracedSpan("f", "turn", {
            type: "function",
            name: "find_card",
            input: "",
            output: "",
          }),
          { input: '{"card_id":"CARD-77"}', output: '{"status":"active"}' },
        );
        await inSpan(processor, generation("g2"), {
          model: "gpt-5",
          input: [
            user,
            { role: "assistant", ...ASKED },
            { role: "tool", tool_call_id: "call1", content: '{"status":"active"}' },
          ],
          output: [completion("chatcmpl-2", { content: "Yes, it is." }, "stop")],
        });
      }),
    ),
  );
}

const response = (id: string, output: object[]) => ({
  response_id: id,
  _response: {
    id,
    model: "gpt-5-2026",
    output,
    usage: { input_tokens: 21, output_tokens: 11, input_tokens_details: { cached_tokens: 4 } },
  },
});
const input = {
  type: "message",
  role: "user",
  content: [{ type: "input_text", text: "Ask the card desk." }],
};
const handOver = { name: "transfer_to_desk", arguments: "{}", status: "completed" };

/** A hand-off: one agent after another under the same trace. */
async function runHandOff(processor: AgentsTraceProcessor): Promise<void> {
  const answer = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Yes." }],
  };
  const call = { type: "function_call", call_id: "call1", ...handOver };
  await inSpan(
    processor,
    new TracedSpan("a", null, { type: "agent", name: "front" }),
    {},
    async () => {
      await inSpan(processor, new TracedSpan("r1", "a", { type: "response" }), {
        _input: [input],
        ...response("resp_1", [{ type: "reasoning", content: [] }, call]),
      });
      await inSpan(processor, new TracedSpan("h", "a", { type: "handoff", from_agent: "front" }), {
        to_agent: "desk",
      });
    },
  );
  await inSpan(processor, new TracedSpan("b", null, { type: "agent", name: "desk" }), {}, () =>
    inSpan(processor, new TracedSpan("r2", "b", { type: "response" }), {
      _input: [
        input,
        { type: "function_call", callId: "call1", ...handOver },
        {
          type: "function_call_result",
          callId: "call1",
          name: "transfer_to_desk",
          output: { type: "text", text: '{"assistant":"desk"}' },
        },
      ],
      ...response("resp_2", [answer]),
    }),
  );
}

describe("createAgentsTraceProcessor", () => {
  it("tells a run once, with the tool's run and the conversation", async () => {
    const { host, told, events, shown } = createHookHost();
    const processor = createAgentsTraceProcessor(host);
    await processor.onTraceStart(TRACE);
    await runCompletions(processor);
    await processor.onTraceEnd(TRACE);
    expect(shown()).toEqual([
      "execute_tool find_card < invoke_agent Card agent",
      "invoke_agent Card agent < chain Card desk",
      "chain Card desk",
    ]);
    expect(told()).toEqual([
      "user_message Card agent: Is card CARD-77 active?",
      'tool_call Card agent: find_card {"card_id":"CARD-77"}',
      'tool_result Card agent: find_card {"status":"active"}',
      "agent_response Card agent: Yes, it is.",
    ]);
    expect(events[0]?.interaction.conversationId).toBe("g1");
    expect(events[1]?.metadata).toMatchObject({
      toolCallId: "call1",
      responseId: "chatcmpl-1",
      model: "gpt-5-2026",
      temperature: 0.2,
      maxTokens: 900,
      tokensUsed: { input: 21, output: 11 },
      cacheReadTokens: 4,
    });
  });

  it("tells a hand-off, and the answer as that of the agent that gave it", async () => {
    const { host, told } = createHookHost();
    const processor = createAgentsTraceProcessor(host);
    await processor.onTraceStart(TRACE);
    await runHandOff(processor);
    await processor.onTraceEnd(TRACE);
    expect(told()).toEqual([
      "user_message front: Ask the card desk.",
      "tool_call front: transfer_to_desk {}",
      'tool_result desk: transfer_to_desk {"assistant":"desk"}',
      "agent_response desk: Yes.",
    ]);
  });

  it("shows model calls on the telemetry path when it is to", async () => {
    const { host, shown } = createHookHost();
    const processor = createAgentsTraceProcessor(host, { publishModelCalls: true });
    await runHandOff(processor);
    expect(shown()).toEqual([
      "chat < invoke_agent front",
      "invoke_agent front",
      "chat < invoke_agent desk",
      "invoke_agent desk",
    ]);
  });

  it("tells how a run failed, and ends a trace that the library leaves open", async () => {
    const { host, told, events, shown } = createHookHost();
    const processor = createAgentsTraceProcessor(host);
    const failed = {
      message: "Error in agent run",
      data: { error: "InputGuardrailTripwireTriggered: Input guardrail triggered: {}" },
    };
    await processor.onTraceStart(TRACE);
    const agent = new TracedSpan("a", null, { type: "agent", name: "Guarded" });
    await inSpan(processor, agent, { error: failed }, () =>
      inSpan(processor, new TracedSpan("r", "a", { type: "response" }), {
        _input: "Is it?",
        error: { message: "429 too many" },
      }),
    );
    expect(shown()).toEqual([
      'invoke_agent Guarded < chain Card desk !"InputGuardrailTripwireTriggered"',
      'chain Card desk !"InputGuardrailTripwireTriggered"',
    ]);
    expect(told()).toEqual(["user_message Guarded: Is it?", "error Guarded: 429 too many"]);
    expect(events[1]?.metadata).toMatchObject({ errorCode: "429" });
  });

  it("tells that a tool has failed, and what the model is told of it", async () => {
    const { host, told, events } = createHookHost();
    const processor = createAgentsTraceProcessor(host);
    const tool = new TracedSpan("f", null, { type: "function", name: "find_card" });
    await inSpan(processor, tool, {
      input: "{}",
      output: "An error occurred.",
      error: { message: "Error running tool (non-fatal)", data: { error: "TypeError: boom" } },
    });
    expect(told().map((line) => line.replace(/ \S+:/, ":"))).toEqual([
      expect.stringMatching(/^tool_call.*find_card \{\}$/),
      expect.stringMatching(/^tool_result.*find_card "An error occurred."$/),
    ]);
    expect(events[1]?.metadata).toMatchObject({ success: false, toolError: "boom" });
  });

  it("survives whatever it is given", async () => {
    const { host } = createHookHost();
    const processor = createAgentsTraceProcessor(host);
    const odds = [undefined, null, 7, "x", [], [null], [[7]], {}, [{ choices: [null, {}] }]];
    for (const odd of odds) {
      await processor.onTraceStart(odd as never);
      await processor.onTraceEnd(odd as never);
      await processor.onSpanStart(odd as never);
      for (const type of ["agent", "generation", "response", "function", "handoff", "new"]) {
        const data = { type, input: odd, output: odd, _input: odd, _response: odd, usage: odd };
        await inSpan(processor, new TracedSpan("s", null, data));
        await inSpan(processor, new TracedSpan("s", null, { ...data, _response: { output: odd } }));
      }
    }
    await expect(processor.forceFlush()).resolves.toBeUndefined();
    await expect(processor.shutdown()).resolves.toBeUndefined();
  });
});
