import { describe, expect, it } from "vitest";
import { observeClaudeMessages } from "../../../src/instrumentation/hooks/claude-agent.ts";
import { createHookHost } from "./hook-host.ts";

type Message = Record<string, unknown>;

const SESSION = "11111111-2222-4333-8444-555555555555";
const QUESTION = "Is card CARD-77 active?";

/** A query as the SDK's: a generator with methods, whose state is its own. */
class Query {
  readonly #messages: AsyncGenerator<Message, void>;
  closed = false;
  model = "claude-x";

  constructor(messages: readonly Message[], failure?: Error) {
    this.#messages = (async function* () {
      for (const message of messages) yield { session_id: SESSION, ...message };
      if (failure) throw failure;
    })();
  }

  next(): Promise<IteratorResult<Message, void>> {
    return this.#messages.next();
  }
  return(): Promise<IteratorResult<Message, void>> {
    this.closed = true;
    return this.#messages.return();
  }
  throw(error: unknown): Promise<IteratorResult<Message, void>> {
    return this.#messages.throw(error);
  }
  [Symbol.asyncIterator](): this {
    return this;
  }
  async interrupt(): Promise<boolean> {
    return this.#messages !== undefined;
  }
  close(): void {
    this.closed = true;
  }
}

const tokens = (output: number) => ({
  input_tokens: 3,
  cache_creation_input_tokens: 2,
  cache_read_input_tokens: 4,
  output_tokens: output,
});
const init: Message = { type: "system", subtype: "init", model: "claude-x", tools: ["find_card"] };
/** One block of an answer, as the library tells them one by one. */
const says = (id: string, block: object, more: Message = {}): Message => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: {
    id,
    role: "assistant",
    model: "claude-x",
    content: [block],
    stop_reason: null,
    usage: tokens(1),
  },
  ...more,
});
const text = (value: string) => ({ type: "text", text: value });
const use = (id: string, name: string, args: object) => ({
  type: "tool_use",
  id,
  name,
  input: args,
});
const gives = (id: string, content: unknown, more: Message = {}, isError = false): Message => ({
  type: "user",
  parent_tool_use_id: null,
  message: {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) },
    ],
  },
  ...more,
});
const ends = (more: Message = {}): Message => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Yes, it is.",
  total_cost_usd: 0.02,
  usage: {
    ...tokens(40),
    input_tokens: 6,
    cache_creation_input_tokens: 4,
    cache_read_input_tokens: 8,
  },
  ...more,
});
const TURN = [
  init,
  says("msg_1", text("Let me look.")),
  says("msg_1", use("toolu_1", "find_card", { card_id: "CARD-77" })),
  gives("toolu_1", [text('{"status":"active"}')]),
  says("msg_2", text("Yes, it is.")),
  ends(),
];

async function read(query: AsyncIterable<Message>): Promise<Message[]> {
  const messages = [];
  for await (const message of query) messages.push(message);
  return messages;
}

describe("observeClaudeMessages", () => {
  it("passes the messages on and tells the turn once", async () => {
    const { host, told, events, shown, ended } = createHookHost();
    const query = observeClaudeMessages(host, new Query(TURN), {
      prompt: QUESTION,
      agentName: "cards",
    });
    expect(await read(query)).toEqual(await read(new Query(TURN)));
    expect(shown()).toEqual([
      "chat claude-x < invoke_agent cards",
      "execute_tool find_card < invoke_agent cards",
      "chat claude-x < invoke_agent cards",
      "invoke_agent cards",
    ]);
    expect(ended.at(-1)?.attributes).toMatchObject({ "agent_monitor.usage.cost": 0.02 });
    expect(told()).toEqual([
      `user_message cards: ${QUESTION}`,
      'tool_call cards: find_card {"card_id":"CARD-77"}',
      'tool_result cards: find_card {"status":"active"}',
      "agent_response cards: Yes, it is.",
    ]);
    expect(events[0]?.interaction.conversationId).toBe(SESSION);
    expect(events[1]?.metadata).toMatchObject({
      toolCallId: "toolu_1",
      tokensUsed: { input: 3, output: 1 },
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
    });
    // The sum of the turn is what the provider has counted.
    expect(events[3]?.metadata).toMatchObject({
      responseId: "msg_2",
      tokensUsed: { input: 3, output: 39 },
    });
  });

  it("tells the work of a helping agent as such", async () => {
    const { host, told, shown, events } = createHookHost();
    const inside = { parent_tool_use_id: "toolu_2" };
    const messages = [
      says("msg_1", use("toolu_2", "Agent", { subagent_type: "desk", prompt: "Well?" })),
      { type: "user", ...inside, message: { role: "user", content: "Well?" } },
      says("msg_s1", use("toolu_3", "Read", { page: 1 }), inside),
      gives("toolu_3", "a page", inside),
      says("msg_s2", text("The page says yes."), inside),
      gives("toolu_2", [text("The page says yes.")]),
      says("msg_2", text("Yes.")),
      ends(),
    ];
    await read(
      observeClaudeMessages(host, new Query(messages), { prompt: "Ask.", agentName: "cards" }),
    );
    expect(shown().filter((line) => !line.startsWith("chat"))).toEqual([
      "execute_tool Read < invoke_agent desk",
      "invoke_agent desk < execute_tool Agent",
      "execute_tool Agent < invoke_agent cards",
      "invoke_agent cards",
    ]);
    expect(told()).toEqual([
      "user_message cards: Ask.",
      'tool_call cards: Agent {"subagent_type":"desk","prompt":"Well?"}',
      'tool_call desk: Read {"page":1}',
      'tool_result desk: Read "a page"',
      'tool_result cards: Agent "The page says yes."',
      "agent_response cards: Yes.",
    ]);
    expect(events[2]?.metadata).toMatchObject({ parentAgent: "cards" });
  });

  it("tells the turns of a session one by one, each with its own cost", async () => {
    const { host, told, ended } = createHookHost();
    const asks = (content: string): Message => ({
      type: "user",
      parent_tool_use_id: null,
      message: { role: "user", content },
    });
    const messages = [
      asks("One?"),
      says("msg_1", text("First.")),
      ends(),
      asks("Two?"),
      says("msg_2", text("Second.")),
      ends({ total_cost_usd: 0.05 }),
    ];
    await read(observeClaudeMessages(host, new Query(messages)));
    expect(told().map((line) => line.split(": ")[1])).toEqual([
      "One?",
      "First.",
      "Two?",
      "Second.",
    ]);
    const costs = ended.flatMap(({ attributes }) => attributes["agent_monitor.usage.cost"] ?? []);
    expect(costs).toEqual([0.02, expect.closeTo(0.03)]);
  });

  it("tells of tools and runs that fail", async () => {
    const { host, told, events } = createHookHost();
    const messages = [
      says("msg_1", use("toolu_1", "find_card", {})),
      gives("toolu_1", "no such card", {}, true),
      ends({ subtype: "error_max_turns", result: undefined, errors: ["too many turns"] }),
    ];
    await read(observeClaudeMessages(host, new Query(messages), { prompt: "x" }));
    expect(told()).toEqual([
      "user_message claude-agent: x",
      "tool_call claude-agent: find_card {}",
      'tool_result claude-agent: find_card "no such card"',
      "error claude-agent: too many turns",
    ]);
    expect(events[2]?.metadata).toMatchObject({ success: false });
    expect(events[3]?.metadata).toMatchObject({ errorType: "error_max_turns" });
  });

  it("tells what there was when the library fails, and throws what it throws", async () => {
    const { host, told } = createHookHost();
    const failure = new Error("exited with code 3");
    const query = observeClaudeMessages(host, new Query([says("msg_1", text("I will"))], failure), {
      prompt: "x",
    });
    await expect(read(query)).rejects.toBe(failure);
    expect(told()).toEqual([
      "user_message claude-agent: x",
      "agent_response claude-agent: I will",
      "error claude-agent: exited with code 3",
    ]);
  });

  it("ends when its reader leaves", async () => {
    const { host, shown } = createHookHost();
    const query = new Query(TURN);
    for await (const message of observeClaudeMessages(host, query, { prompt: "x" })) {
      if (message["type"] === "assistant") break;
    }
    expect(query.closed).toBe(true);
    expect(shown()).toEqual([
      "chat claude-x < invoke_agent claude-agent",
      "invoke_agent claude-agent",
    ]);
  });

  it("keeps every other member of the query", async () => {
    const { host } = createHookHost();
    const query = new Query(TURN);
    const observed = observeClaudeMessages(host, query);
    expect(observed).toBeInstanceOf(Query);
    expect(observed.model).toBe("claude-x");
    await expect(observed.interrupt()).resolves.toBe(true);
    observed.model = "claude-y";
    expect(query.model).toBe("claude-y");
    observed.close();
    expect(query.closed).toBe(true);
    await expect(observed.throw(new Error("stop"))).rejects.toThrow("stop");
  });

  it("survives whatever messages hold", async () => {
    const { host, lines } = createHookHost();
    const odds = [null, 7, "x", [], [null], {}, [{ type: "tool_use" }], [{ type: "tool_result" }]];
    const messages = odds.flatMap((odd) =>
      ["assistant", "user", "result", "system", "new"].map((type) => ({
        type,
        message: odd === null ? odd : { content: odd, id: odd, usage: odd },
        usage: odd,
        parent_tool_use_id: odd,
      })),
    );
    const query = observeClaudeMessages(host, new Query(messages as Message[]), { prompt: odds });
    expect(await read(query)).toHaveLength(messages.length);
    expect(lines).toEqual([]);
  });
});
