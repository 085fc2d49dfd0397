/** Telemetry as one request of an exporter has it. */
export interface TelemetryRequest {
  readonly path: "/v1/logs" | "/v1/traces";
  readonly body: string;
}

const toPairs = (attributes: Record<string, string>): unknown[] =>
  Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));

const toMap = (members: Record<string, unknown>): unknown => ({
  kvlistValue: {
    values: Object.entries(members).map(([key, value]) => ({
      key,
      value: typeof value === "string" ? { stringValue: value } : value,
    })),
  },
});

const toMessage = (role: string, content: string): object => ({
  role,
  parts: [{ type: "text", content }],
});

const scope = { name: "bank" };

const ofSpans = (...spans: readonly object[]): TelemetryRequest => ({
  path: "/v1/traces",
  body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope, spans }] }] }),
});

const ofRecords = (...logRecords: readonly object[]): TelemetryRequest => ({
  path: "/v1/logs",
  body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ scope, logRecords }] }] }),
});

const AGENT_ID = "a".repeat(16);
const CALL_ID = "c".repeat(16);
/** Events of a turn: what the user said, and what the agent answered. */
const EVENTS_PER_TURN = 2;

/** A turn of a conversation, as a trace that comes in several requests, the agent's span last. */
function toTurn(conversation: number, turn: number, startedAt: number): TelemetryRequest[] {
  const id = `conversation-${conversation}`;
  const said = Array.from({ length: turn }, (_, index) => [
    toMessage("user", `question ${conversation}.${index + 1}`),
    toMessage("assistant", `answer ${conversation}.${index + 1}`),
  ]);
  const history = said.flat().slice(0, -1);
  const [question, answer] = ["question", "answer"].map(
    (word) => `${word} ${conversation}.${turn}`,
  );
  const traceId = (conversation * 1000 + turn).toString(16).padStart(32, "0");
  const at = startedAt + conversation * 100_000 + turn * 10_000;
  const toTimes = (from: number, to: number) => ({
    startTimeUnixNano: `${at + from}000000`,
    endTimeUnixNano: `${at + to}000000`,
  });
  const agent = ofSpans({
    traceId,
    spanId: AGENT_ID,
    name: "invoke_agent teller",
    ...toTimes(0, 1000),
    attributes: toPairs({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "teller",
      "gen_ai.conversation.id": id,
    }),
  });
  const call = { traceId, spanId: CALL_ID, parentSpanId: AGENT_ID, name: "chat", kind: 3 };
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.conversation.id": id };
  // Some write what was said as attributes, some as log records.
  if (conversation % 2 === 0) {
    const content = {
      "gen_ai.input.messages": JSON.stringify(history),
      "gen_ai.output.messages": JSON.stringify([toMessage("assistant", answer ?? "")]),
    };
    const whole = toPairs({ ...attributes, ...content });
    return [ofSpans({ ...call, ...toTimes(10, 900), attributes: whole }), agent];
  }
  const toRecord = (eventName: string, millis: number, body: unknown): object => ({
    timeUnixNano: `${at + millis}000000`,
    traceId,
    spanId: CALL_ID,
    eventName,
    body,
  });
  const message = toMap({ role: "assistant", content: answer });
  return [
    ofRecords(
      toRecord("gen_ai.user.message", 20, toMap({ content: question })),
      toRecord("gen_ai.choice", 800, toMap({ index: { intValue: 0 }, message })),
    ),
    ofSpans({ ...call, ...toTimes(10, 900), attributes: toPairs(attributes) }),
    agent,
  ];
}

/** A conversation over several traces, each of which repeats what was said before. */
export interface ConversationTelemetry {
  /** Requests in the order in which they are sent. */
  readonly requests: readonly TelemetryRequest[];
  readonly eventCount: number;
}

/** Creates a conversation that a number makes another one. */
export function createConversation(
  conversation: number,
  turns: number,
  startedAt: number,
): ConversationTelemetry {
  const all = Array.from({ length: turns }, (_, turn) => toTurn(conversation, turn + 1, startedAt));
  return { requests: all.flat(), eventCount: turns * EVENTS_PER_TURN };
}

/** Creates a turn in which the agent uses a tool, each of its two calls in a trace of its own, as a request. */
export function createToolTurn(conversation: number, startedAt: number): ConversationTelemetry {
  const question = toMessage("user", `question ${conversation}`);
  const use = { type: "tool_call", id: `call-${conversation}`, name: "get_balance" };
  const asked = { role: "assistant", parts: [{ ...use, arguments: { accountId: "A-1" } }] };
  const response = { type: "tool_call_response", id: use.id, response: "12.50 USD" };
  const answer = toMessage("assistant", `answer ${conversation}`);
  const toCall = (call: number, input: readonly object[], output: object): TelemetryRequest =>
    ofSpans({
      traceId: (conversation * 1000 + call).toString(16).padStart(32, "0"),
      spanId: CALL_ID,
      name: "chat",
      kind: 3,
      startTimeUnixNano: `${startedAt + 1000 * call}000000`,
      endTimeUnixNano: `${startedAt + 1000 * call + 500}000000`,
      attributes: toPairs({
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": `conversation-${conversation}`,
        "gen_ai.input.messages": JSON.stringify(input),
        "gen_ai.output.messages": JSON.stringify([output]),
      }),
    });
  const requests = [
    toCall(1, [question], asked),
    toCall(2, [question, asked, { role: "tool", parts: [response] }], answer),
  ];
  return { requests, eventCount: 4 };
}

/** Sends a request of an exporter; returns its status. @throws TypeError where the connection breaks. */
export async function sendTelemetry(
  { url }: { readonly url: string },
  { path, body }: TelemetryRequest,
): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}
