import { activeTurnContext } from "../../scope/scopes.ts";
import * as semconv from "../../semconv.ts";
import { followResult, readMember, readText } from "../../util/untrusted-values.ts";
import type { FetchObserverHost } from "../host.ts";
import * as genAi from "../message.ts";
import { runInside, startHookSpan, type HookSpan } from "./hook-span.ts";
import { takeOpenTool } from "./hook-runs.ts";

/**
 * The part of a client of the Model Context Protocol that is used: `Client` of `@modelcontextprotocol/sdk` 1.x and of
 * `@modelcontextprotocol/client` 2.x.
 */
export interface McpClientLike {
  /** Calls a tool of the server. */
  callTool(...args: never[]): Promise<unknown>;
}

type CallTool = (...args: unknown[]) => unknown;

const LIBRARY = "mcp-client";
const METHOD = "tools/call";
/** One mark for all copies of this package. */
const OBSERVED = Symbol.for("agent-monitor.mcp-client");

function endCall(span: HookSpan, result: unknown): void {
  if (readMember(result, "isError") === true) {
    span.fail(genAi.toToolFailure(readMember(result, "content")));
  }
  span.set({}, genAi.toResultContent(result));
  span.end();
}

function startCall(host: FetchObserverHost, params: unknown): HookSpan {
  const name = readText(params, "name") ?? "tool";
  const args = readMember(params, "arguments") ?? {};
  const active = activeTurnContext();
  const around = takeOpenTool(host, name, args, active);
  return startHookSpan(host, {
    operation: "execute_tool",
    library: LIBRARY,
    attributes: {
      [semconv.ATTR_GEN_AI_TOOL_NAME]: name,
      [semconv.ATTR_GEN_AI_TOOL_CALL_ID]: around?.callId,
      [semconv.ATTR_MCP_METHOD_NAME]: METHOD,
    },
    content: genAi.toArgumentsContent(args),
    parent: around?.context ?? active,
  });
}

/**
 * Observes the tools that a client of the Model Context Protocol calls: name, arguments, result, failure and time.
 *
 * Replaces `callTool` of this client only; results and errors are the library's. A client that is observed already
 * stays as it is.
 *
 * @returns The same client.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export function observeMcpClient<T extends McpClientLike>(host: FetchObserverHost, client: T): T {
  const original = readMember(client, "callTool");
  if (typeof original !== "function" || Object.hasOwn(original, OBSERVED)) {
    return client;
  }
  const callTool: CallTool = (...args) => {
    const span = startCall(host, args[0]);
    const fail = (error: unknown): void => {
      span.fail(error);
      span.end();
    };
    let answer: unknown;
    try {
      answer = runInside(span.context, () => (original as CallTool).apply(client, args));
    } catch (error) {
      fail(error);
      throw error;
    }
    return followResult(answer, (result) => endCall(span, result), fail);
  };
  Reflect.defineProperty(callTool, OBSERVED, { value: true });
  Reflect.defineProperty(client, "callTool", {
    value: callTool,
    configurable: true,
    writable: true,
  });
  return client;
}
