import { trace, type Context } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import { currentConversationScope } from "../../scope/conversation-scope.ts";
import type { FetchObserverHost } from "../host.ts";
import { isRecord, parseJson } from "../../util/values.ts";

/** A tool that a framework runs. */
export interface OpenTool {
  readonly name: string;
  /** As the framework gives them; `undefined` or empty when it tells them only at the end. */
  readonly args: unknown;
  readonly callId: string | undefined;
  /** The context of what runs inside. */
  readonly context: Context;
}

interface Entry extends OpenTool {
  readonly sessionId: string | undefined;
  isTaken: boolean;
}

const MAX_TOOLS = 2000;
/** What frameworks put before the names of tools that a server has. */
const PREFIX = "__";

/** Writes arguments so that equal ones are equal, whatever the order of their members. */
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
 * Knows the tools that frameworks run, so that a client which calls a server for one of them can tell which: callbacks
 * of frameworks leave nothing in the active context.
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
   * Finds the run that a call is made for, once: one of the same trace, and where there is none, the only one of the
   * same session that there is; when there are more, none.
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

/** Gives what the hooks of one host share. */
export function openToolsOf(host: FetchObserverHost): OpenTools {
  let tools = ofHosts.get(host);
  if (!tools) {
    tools = new OpenTools();
    ofHosts.set(host, tools);
  }
  return tools;
}
