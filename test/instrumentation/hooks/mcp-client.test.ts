import { ROOT_CONTEXT, trace, type Context } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { HookRuns } from "../../../src/instrumentation/hooks/hook-runs.ts";
import { observeMcpClient } from "../../../src/instrumentation/hooks/mcp-client.ts";
import { withConversationScope } from "../../../src/scope/scopes.ts";
import { createHookHost, withContextManager } from "./hook-host.ts";

type Completion = (args: Record<string, unknown>) => unknown;

/** A client as the SDK's: its method is the class's, and needs its instance. */
class Client {
  readonly #answer: Completion;
  readonly calls: unknown[][] = [];

  constructor(answer: Completion) {
    this.#answer = answer;
  }

  async callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    ...more: unknown[]
  ): Promise<unknown> {
    this.calls.push([params, ...more]);
    return this.#answer(params.arguments ?? {});
  }
}

const text = (value: string) => ({ content: [{ type: "text", text: value }] });
const PARAMS = { name: "find_card", arguments: { card_id: "CARD-77" } };

describe("observeMcpClient", () => {
  it("tells of a tool's run and hands its result on", async () => {
    const { host, told, shown, ended } = createHookHost();
    const answer = text('{"status":"active"}');
    const client = new Client(() => answer);
    expect(observeMcpClient(host, client)).toBe(client);
    const options = { timeout: 5 };
    expect(await client.callTool(PARAMS, undefined, options)).toBe(answer);
    expect(client.calls).toEqual([[PARAMS, undefined, options]]);
    expect(shown()).toEqual(["execute_tool find_card"]);
    expect(ended[0]?.attributes["mcp.method.name"]).toBe("tools/call");
    expect(told().map((line) => line.replace(/ \S+:/, ":"))).toEqual([
      expect.stringMatching(/^tool_call.*find_card \{"card_id":"CARD-77"\}$/),
      expect.stringMatching(/^tool_result.*find_card \{"status":"active"\}$/),
    ]);
  });

  it("tells of a result that is an error", async () => {
    const { host, told, events } = createHookHost();
    const client = observeMcpClient(
      host,
      new Client(() => ({ ...text("blocked"), isError: true })),
    );
    expect(await client.callTool(PARAMS)).toMatchObject({ isError: true });
    told();
    expect(events[1]?.metadata).toMatchObject({ success: false, toolError: "blocked" });
  });

  it("rejects as the client does", async () => {
    const { host, shown } = createHookHost();
    const failure = new RangeError("closed");
    const client = observeMcpClient(
      host,
      new Client(() => {
        throw failure;
      }),
    );
    await expect(client.callTool(PARAMS)).rejects.toBe(failure);
    expect(shown()).toEqual(['execute_tool find_card !"RangeError"']);
  });

  it("throws as the client does", () => {
    const { host, shown } = createHookHost();
    const client = {
      callTool(): Promise<unknown> {
        throw new RangeError("no such tool");
      },
    };
    observeMcpClient(host, client);
    expect(() => client.callTool()).toThrow("no such tool");
    expect(shown()).toEqual(['execute_tool tool !"RangeError"']);
  });

  it("observes a client once, and no other one", async () => {
    const { host, shown } = createHookHost();
    const client = new Client(() => text("x"));
    observeMcpClient(host, observeMcpClient(host, client));
    await client.callTool(PARAMS);
    await new Client(() => text("y")).callTool(PARAMS);
    expect(shown()).toHaveLength(1);
  });

  it("leaves a client alone that can't be changed", async () => {
    const { host, shown } = createHookHost();
    const client = Object.freeze(new Client(() => "x"));
    observeMcpClient(host, client);
    expect(await client.callTool(PARAMS)).toBe("x");
    expect(shown()).toEqual([]);
    expect(() => observeMcpClient(host, {} as never)).not.toThrow();
  });

  it("is around what the client does", () =>
    withContextManager(async () => {
      const { host, tracer, shown } = createHookHost();
      const client = observeMcpClient(
        host,
        new Client(() => {
          tracer.startSpan("POST /mcp").end();
          return text("x");
        }),
      );
      await tracer.startActiveSpan("GET /cards", async (span) => {
        await client.callTool(PARAMS);
        expect(trace.getActiveSpan()).toBe(span);
        span.end();
      });
      expect(shown()).toEqual([
        "POST /mcp < execute_tool find_card",
        "execute_tool find_card < GET /cards",
        "GET /cards",
      ]);
    }));
});

describe("a client that is called by a framework's tool", () => {
  const run = (parent: Context, name = "find_card", args = '{"card_id":"CARD-77"}') => ({
    operation: "execute_tool" as const,
    attributes: { "gen_ai.tool.name": name, "gen_ai.tool.call.id": "call1" },
    content: { "gen_ai.tool.call.arguments": args },
    parent,
  });

  it.each(["find_card", "mcp__cards__find_card"])("tells of %s once", async (name) => {
    const { host, told, shown } = createHookHost();
    const runs = new HookRuns(host, "langchain");
    const client = observeMcpClient(host, new Client(() => text("active")));
    runs.start("t", undefined, run(ROOT_CONTEXT, name));
    await client.callTool(PARAMS);
    runs.end("t", (span) => span.set({}, { "gen_ai.tool.call.result": '"active"' }));
    expect(shown()[0]).toBe(`execute_tool find_card < execute_tool ${name}`);
    expect(told().map((line) => line.split(" ")[0])).toEqual(["tool_call", "tool_result"]);
  });

  it("is never taken for that of another trace or session", async () => {
    const { host, shown, tracer } = createHookHost();
    const runs = new HookRuns(host, "langchain");
    const client = observeMcpClient(host, new Client(() => text("active")));
    runs.start("t1", undefined, run(ROOT_CONTEXT));
    await withContextManager(() =>
      tracer.startActiveSpan("GET /other", async (span) => {
        await client.callTool(PARAMS);
        span.end();
      }),
    );
    const scope = { agentId: "desk", sessionId: "s2" };
    await withConversationScope(scope, () => client.callTool(PARAMS));
    await client.callTool({ ...PARAMS, arguments: { card_id: "CARD-78" } });
    runs.start("t2", undefined, run(ROOT_CONTEXT));
    await client.callTool(PARAMS);
    expect(shown()).toEqual([
      "execute_tool find_card < GET /other",
      "GET /other",
      "execute_tool find_card",
      "execute_tool find_card",
      "execute_tool find_card",
    ]);
  });
});
