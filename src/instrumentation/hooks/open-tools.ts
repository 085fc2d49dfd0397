import { trace, type Context } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import { currentConversationScope } from "../../scope/conversation-scope.ts";
import type { FetchObserverHost } from "../host.ts";
import { isRecord, parseJson } from "../../util/values.ts";

/** A running tool of a framework. */
export interface OpenTool {
  readonly name: string;
  /** The framework's arguments; `undefined` or empty when they are known only at the end. */
  readonly args: unknown;
  readonly callId: string | undefined;
  /** Context for spans inside the tool. */
  readonly context: Context;
}

interface Entry extends OpenTool {
  readonly sessionId: string | undefined;
  isTaken: boolean;
}

const MAX_TOOLS = 2000;
/** Separator between a server's name and a tool's name in frameworks. */
const PREFIX = "__";

/** Serializes arguments independently of the order of their members. */
function sign(args: unknown): string | undefined {
  const value = typeof args === "string" ? parseJson(args) : args;
  if (!isRecord(value)) return undefined;
  try {
    return JSON.stringify(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  } catch {
    return undefined;
  }
}

function isSameRun(open: Entry, name: string, signature: string | undefined): boolean {
  if (open.isTaken || (open.name !== name && !open.name.endsWith(PREFIX + name))) return false;
  const known = sign(open.args);
  return known === undefined || known === signature;
}

/**
 * Keeps the running tools of frameworks, so that an MCP call finds the tool that it is made for: callbacks of
 * frameworks leave no trace in the active context.
 */
export class OpenTools {
  readonly #open = new BoundedMap<string, Entry>(MAX_TOOLS);

  add(id: string, tool: OpenTool): void {
    const sessionId = currentConversationScope()?.sessionId;
    this.#open.set(id, { ...tool, sessionId, isTaken: false });
  }

  delete(id: string): void {
    this.#open.delete(id);
  }

  /**
   * Returns the run that a call is made for, once: a run of the same trace; without a trace, the only matching run if
   * it is of the same session.
   */
  take(name: string, args: unknown, active: Context): OpenTool | undefined {
    if (this.#open.size === 0) return undefined;
    const signature = sign(args);
    const same = [...this.#open.values()].filter((open) => isSameRun(open, name, signature));
    const traceId = trace.getSpanContext(active)?.traceId;
    const near = same.filter(({ context }) => trace.getSpanContext(context)?.traceId === traceId);
    const sessionId = currentConversationScope()?.sessionId;
    const own = same.filter((open) => open.sessionId === sessionId);
    const isAlone = traceId === undefined && own.length === 1 && same.length === 1;
    const found = near[0] ?? (isAlone ? own[0] : undefined);
    if (found) found.isTaken = true;
    return found;
  }
}

const ofHosts = new WeakMap<FetchObserverHost, OpenTools>();

/** Returns the open tools that the hooks of one host share. */
export function openToolsOf(host: FetchObserverHost): OpenTools {
  let tools = ofHosts.get(host);
  if (!tools) {
    tools = new OpenTools();
    ofHosts.set(host, tools);
  }
  return tools;
}
