import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { HookRuns, makeSafe } from "../../../src/instrumentation/hooks/hook-runs.ts";
import { startHookSpan } from "../../../src/instrumentation/hooks/hook-span.ts";
import {
  createLibraryTracer,
  type SpanLibrary,
} from "../../../src/instrumentation/hooks/library-tracer.ts";
import type { FetchObserverHost } from "../../../src/instrumentation/host.ts";
import { createHookHost } from "./hook-host.ts";

const TOOL = { "gen_ai.tool.name": "find_card", "gen_ai.tool.call.id": "c1" };
const ARGUMENTS = { "gen_ai.tool.call.arguments": '{"card":"CARD-77"}' };
const RESULT = { "gen_ai.tool.call.result": '"active"' };

describe("startHookSpan", () => {
  it("tells the bridge all content, and the telemetry path none", () => {
    const { host, publicSpans, ended } = createHookHost();
    const span = startHookSpan(host, {
      operation: "execute_tool",
      attributes: TOOL,
      content: ARGUMENTS,
    });
    span.set({ "gen_ai.agent.name": "desk" }, RESULT);
    span.end();
    const [shown] = publicSpans();
    expect(shown?.name).toBe("execute_tool find_card");
    expect(shown?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.agent.name": "desk",
      ...TOOL,
    });
    expect(ended[0]?.attributes).toEqual({ ...shown?.attributes, ...ARGUMENTS, ...RESULT });
    expect(ended[0]?.spanContext()).toEqual(shown?.spanContext());
  });

  it("shows content by the policy", () => {
    const { host, publicSpans } = createHookHost({
      toPublicContent: (content) =>
        Object.fromEntries(Object.keys(content).map((name) => [name, "[redacted]"])),
    });
    const span = startHookSpan(host, {
      operation: "execute_tool",
      attributes: TOOL,
      content: ARGUMENTS,
    });
    span.fail(new RangeError("card CARD-77 is blocked"));
    span.end();
    const [shown] = publicSpans();
    expect(shown?.attributes["gen_ai.tool.call.arguments"]).toBe("[redacted]");
    expect(shown?.status).toEqual({ code: 2, message: "[redacted]" });
    expect(shown?.attributes["error.type"]).toBe("RangeError");
  });

  it("keeps the message of a failure from the telemetry path without a policy", () => {
    const { host, publicSpans, ended } = createHookHost();
    const span = startHookSpan(host, { operation: "execute_tool", attributes: TOOL });
    span.fail(new Error("card CARD-77 is blocked"));
    span.fail(new TypeError("a second one"));
    span.end();
    expect(publicSpans()[0]?.status).toEqual({ code: 2 });
    expect(ended[0]?.status).toEqual({ code: 2, message: "card CARD-77 is blocked" });
    expect(ended[0]?.attributes["error.type"]).toBe("Error");
  });

  it.each(["without a tracer", "with one that does nothing", "in private"])(
    "nests spans for the bridge %s",
    (kind) => {
      const nothing = trace.getTracerProvider().getTracer("none");
      const { host, ended, publicSpans } = createHookHost({
        ...(kind === "without a tracer" && { tracer: () => undefined }),
        ...(kind === "with one that does nothing" && { tracer: () => nothing }),
      });
      const isPrivate = kind === "in private";
      const outer = startHookSpan(host, { operation: "invoke_agent", attributes: {}, isPrivate });
      const inner = startHookSpan(host, {
        operation: "execute_tool",
        attributes: TOOL,
        isPrivate,
        parent: outer.context,
      });
      inner.end();
      outer.end();
      const [tool, agent] = ended;
      expect(tool?.parentSpanContext?.spanId).toBe(agent?.spanContext().spanId);
      expect(tool?.spanContext().traceId).toBe(agent?.spanContext().traceId);
      expect(agent?.parentSpanContext).toBeUndefined();
      expect(publicSpans()).toEqual([]);
    },
  );

  it("makes no public span of a call that another one stands for", () => {
    const { host, tracer, shown, ended } = createHookHost();
    const other = tracer.startSpan("chat", { attributes: { "gen_ai.operation.name": "chat" } });
    const parent = trace.setSpan(ROOT_CONTEXT, other);
    startHookSpan(host, { operation: "chat", attributes: {}, parent }).end();
    startHookSpan(host, { operation: "execute_tool", attributes: TOOL, parent }).end();
    other.end();
    expect(shown()).toEqual(["execute_tool find_card < chat", "chat"]);
    expect(ended).toHaveLength(2);
  });

  it("takes times that are given, and ends once", () => {
    const { host, ended, publicSpans } = createHookHost();
    const span = startHookSpan(host, {
      operation: "execute_tool",
      attributes: TOOL,
      startTime: 1_700_000_000_250,
    });
    span.end(1_700_000_001_500);
    span.end();
    span.set({ "gen_ai.agent.name": "late" });
    expect(ended).toHaveLength(1);
    expect(ended[0]).toMatchObject({
      startTime: [1_700_000_000, 250_000_000],
      endTime: [1_700_000_001, 500_000_000],
    });
    expect(publicSpans()[0]?.startTime).toEqual([1_700_000_000, 250_000_000]);
    expect(ended[0]?.attributes["gen_ai.agent.name"]).toBeUndefined();
  });

  it("leaves it to the bridge what becomes of a run that is given up", () => {
    const { host, ended, told, shown } = createHookHost();
    const span = startHookSpan(host, { operation: "chat", attributes: {} });
    span.abandon();
    expect(ended).toEqual([]);
    expect(shown()).toEqual(['chat !"span_abandoned"']);
    expect(told()).toContainEqual(expect.stringMatching(/^agent_response .*: $/));
  });

  it("survives a host that throws", () => {
    const fail = (): never => {
      throw new Error("the host is broken");
    };
    const { host, publicSpans, lines } = createHookHost({
      onStart: fail,
      onEnd: fail,
      annotate: fail,
    });
    const span = startHookSpan(host, { operation: "chat", attributes: {} });
    span.set({});
    span.end();
    expect(publicSpans()).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(0);
    const nothing = startHookSpan({ ...host, tracer: fail }, { operation: "chat", attributes: {} });
    expect(() => nothing.end()).not.toThrow();
    expect(nothing.context).toBe(context.active());
  });

  it.each([
    ["text", { type: "Error", message: "text" }],
    [
      { name: "GuardrailError", message: "no" },
      { type: "GuardrailError", message: "no" },
    ],
    [
      new (class RateLimitError extends Error {})("429"),
      { type: "RateLimitError", message: "429" },
    ],
    [undefined, { type: "Error", message: "" }],
    [Object.create(null), { type: "Error", message: "" }],
  ])("names a failure: %o", (error, { type, message }) => {
    const { host, ended } = createHookHost();
    const span = startHookSpan(host, { operation: "chat", attributes: {} });
    span.fail(error);
    span.end();
    expect(ended[0]?.attributes["error.type"]).toBe(type);
    expect(ended[0]?.status?.message).toBe(message);
  });
});

describe("HookRuns", () => {
  it("gives the oldest run up when there are too many", () => {
    const { host, shown } = createHookHost();
    const runs = new HookRuns(host, "library", 2);
    for (const name of ["a", "b", "c"]) {
      runs.start(name, undefined, { operation: "invoke_agent", name, attributes: {} });
    }
    expect(shown()).toEqual(['invoke_agent a !"span_abandoned"']);
    expect(runs.has("a")).toBe(false);
    runs.end("b");
    runs.end("b");
    expect(shown()).toHaveLength(2);
  });

  it("finds the run around through those that have no spans", () => {
    const { host, shown } = createHookHost();
    const runs = new HookRuns(host, "library");
    runs.start("agent", undefined, { operation: "invoke_agent", name: "agent", attributes: {} });
    runs.pass("node", "agent");
    runs.start("tool", "node", { operation: "execute_tool", attributes: TOOL });
    for (const id of ["tool", "node", "agent"]) runs.end(id);
    expect(shown()).toEqual(["execute_tool find_card < invoke_agent agent", "invoke_agent agent"]);
  });

  it("ends a run whatever is told of it", () => {
    const { host, shown } = createHookHost();
    const runs = new HookRuns(host, "library");
    runs.start("a", undefined, { operation: "invoke_agent", attributes: {} });
    const end = (): void =>
      runs.end("a", () => {
        throw new Error("unreadable");
      });
    expect(end).toThrow("unreadable");
    expect(shown()).toEqual(["invoke_agent"]);
  });
});

describe("makeSafe", () => {
  it("logs what a method throws, and never its message", () => {
    const { host, lines } = createHookHost();
    const safe = makeSafe(
      {
        fail(): void {
          throw new Error("CARD-77");
        },
      },
      host,
      "library",
    );
    safe.fail();
    expect(lines).toEqual(["a run that a library told of could not be read"]);
  });
});

const toMessages = (length: number): Record<string, string> => ({
  "gen_ai.output.messages": JSON.stringify([
    { role: "assistant", parts: [{ type: "text", content: "x".repeat(length) }] },
  ]),
});

/** Ends a model call of a hook, and of a library that makes its spans by itself. */
const ENDS = {
  hook(host: FetchObserverHost, content: Record<string, string>): void {
    startHookSpan(host, { operation: "chat", attributes: {}, content }).end();
  },
  library(host: FetchObserverHost, content: Record<string, string>): void {
    const library: SpanLibrary = {
      name: "library",
      scope: "library",
      content: /\.messages$/,
      toOperation: () => "chat",
    };
    const span = createLibraryTracer(host, library).startSpan("chat", {}, ROOT_CONTEXT);
    span.setAttributes({ "gen_ai.operation.name": "chat", ...content });
    span.end();
  },
};

describe("a model call that ends in a hook", () => {
  it.each([
    ["hook", 100, 1],
    ["hook", 20_000, 0],
    ["library", 100, 1],
    ["library", 20_000, 0],
  ] as const)(
    "(%s, an answer of %i characters) is judged %i times before the library goes on",
    (kind, length, judged) => {
      let calls = 0;
      const tasks: (() => void)[] = [];
      const { host, publicSpans, ended } = createHookHost({
        annotate: () => {
          calls++;
          return { "agent_monitor.compliance.evaluated": true };
        },
        defer: (task) => void tasks.push(task),
      });
      ENDS[kind](host, toMessages(length));
      expect(calls).toBe(judged);
      expect(publicSpans()).toHaveLength(judged);
      for (const task of tasks) task();
      expect(calls).toBe(1);
      expect(publicSpans()[0]?.attributes).toMatchObject({
        "agent_monitor.compliance.evaluated": true,
      });
      expect(publicSpans()[0]?.endTime).toEqual(ended[0]?.endTime);
    },
  );
});
