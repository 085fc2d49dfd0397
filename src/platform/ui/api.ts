/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import type { PlatformStats } from "../options.ts";
import type { ConversationCounts } from "../store/conversation-counts.ts";
import type { ConversationRow } from "../store/conversation-store.ts";
import type { TraceRow } from "../store/span-store.ts";
import type { LinkedConversation } from "../store/trace-links.ts";
import type { ShownSpan } from "./conversation/span-tree.ts";

const TOKEN_KEY = "agent-monitor-token";
/** Spans that are loaded. */
const PAGE = 1000;

/** A page of the list. */
export interface ConversationPage {
  readonly conversations: readonly ConversationRow[];
  readonly next: string | null;
}

/** A trace with its first spans. */
export interface TraceDetail {
  readonly trace: TraceRow & {
    /** With events of this trace. */
    readonly conversations: readonly LinkedConversation[];
  };
  readonly spans: readonly ShownSpan[];
  readonly next: number | null;
}

/** Thrown when the platform responds with an error. */
export class ApiError extends Error {
  override readonly name = "ApiError" as const;
  readonly status: number;
  /** What is wrong, each by itself; empty where there is nothing more to say. */
  readonly problems: readonly string[];

  /** @param detail - What the platform says of it. */
  constructor(
    status: number,
    detail = `the platform answered ${status}`,
    problems: readonly string[] = [],
  ) {
    super(detail);
    this.status = status;
    this.problems = problems;
  }
}

/** Keeps the token for this tab, so that it leaves the address bar. */
export function storeToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
}

function toHeaders(): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Reads JSON. @throws ApiError */
export async function getJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: toHeaders() });
  if (!response.ok) throw new ApiError(response.status);
  return (await response.json()) as T;
}

/** What a problem document says. */
interface ShownProblem {
  readonly detail?: string;
  readonly errors?: readonly { readonly detail: string }[];
}

async function readAnswer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => ({}))) as ShownProblem;
  const problems = problem.errors?.map(({ detail }) => detail);
  throw new ApiError(response.status, problem.detail, problems);
}

type Headers = Readonly<Record<string, string>>;

async function sendJson<T>(
  method: "POST" | "PUT",
  path: string,
  body: object,
  headers: Headers,
): Promise<T> {
  const all = { ...toHeaders(), ...headers, "content-type": "application/json" };
  return readAnswer(await fetch(path, { method, headers: all, body: JSON.stringify(body) }));
}

/** Sends JSON and reads the answer. @throws ApiError */
export function postJson<T>(path: string, body: object, headers: Headers = {}): Promise<T> {
  return sendJson("POST", path, body, headers);
}

/** Puts JSON in the place of what is there and reads the answer. @throws ApiError */
export function putJson<T>(path: string, body: object, headers: Headers = {}): Promise<T> {
  return sendJson("PUT", path, body, headers);
}

/** Has something taken away and reads the answer. @throws ApiError */
export async function deleteJson<T>(path: string, headers: Headers = {}): Promise<T> {
  const init = { method: "DELETE", headers: { ...toHeaders(), ...headers } };
  return readAnswer(await fetch(path, init));
}

/** Lets the browser keep what a path returns as a file. @throws ApiError */
export async function download(path: string): Promise<void> {
  const response = await fetch(path, { headers: toHeaders() });
  if (!response.ok) {
    const problem = (await response.json().catch(() => ({}))) as { readonly detail?: string };
    throw new ApiError(response.status, problem.detail);
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name ?? "export";
  link.click();
  URL.revokeObjectURL(address);
}

/** Loads the platform's counts. */
export function loadStats(): Promise<PlatformStats> {
  return getJson("/api/stats");
}

const LIST_PAGE = 50;
/** Pages that are put together to one: where few conversations match, each page may have few of them. */
const MAX_PAGES = 20;

/** Loads a page of conversations. @param query - Filter and order, as the address has them. */
export async function loadConversations(query: string, before?: string): Promise<ConversationPage> {
  const conversations: ConversationRow[] = [];
  let next = before ?? null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const members = new URLSearchParams(query);
    if (next !== null) members.set("before", next);
    const loaded = await getJson<ConversationPage>(`/api/conversations?${members.toString()}`);
    conversations.push(...loaded.conversations);
    next = loaded.next;
    if (next === null || conversations.length >= LIST_PAGE) break;
  }
  return { conversations, next };
}

/** Counts the conversations of a filter. */
export function loadCounts(query: string): Promise<ConversationCounts> {
  const members = new URLSearchParams(query);
  members.delete("order");
  return getJson(`/api/conversations/counts?${members.toString()}`);
}

/** Loads the newest traces. */
export function loadTraces(): Promise<{ readonly traces: readonly TraceRow[] }> {
  return getJson("/api/traces");
}

/** Loads a trace with its first thousand spans. */
export function loadTrace(traceId: string): Promise<TraceDetail> {
  return getJson(`/api/traces/${encodeURIComponent(traceId)}?limit=${PAGE}`);
}

const POLL_MILLIS = 2000;

/**
 * Runs a loader at once and then every two seconds, while the page is visible.
 *
 * @param load - Gets a function that returns whether its result is still wanted.
 * @param inputs - Starts over when one of them changes.
 * @param delay - Milliseconds until the first time, for what may wait.
 */
export function usePolling(
  load: (isCurrent: () => boolean) => Promise<void>,
  inputs: readonly unknown[],
  delay = 0,
): void {
  useEffect(() => {
    let isActive = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = async (): Promise<void> => {
      if (!document.hidden) await load(() => isActive);
      if (isActive) timer = setTimeout(() => void tick(), POLL_MILLIS);
    };
    if (delay > 0) timer = setTimeout(() => void tick(), delay);
    else void tick();
    return () => {
      isActive = false;
      clearTimeout(timer);
    };
  }, [...inputs]);
}

/**
 * Loads what a view shows, and follows it as it grows.
 *
 * @param load - Gets what was loaded last, and returns the same where nothing is new.
 * @param inputs - Starts over when one of them changes.
 * @returns `undefined` until it is loaded, `"missing"` where the platform has none.
 */
export function useDetail<Detail>(
  load: (old: Detail | undefined) => Promise<Detail>,
  inputs: readonly unknown[],
): Detail | "missing" | undefined {
  const [detail, setDetail] = useState<Detail | "missing">();
  const last = useRef<Detail | undefined>(undefined);
  usePolling(async (isCurrent) => {
    try {
      const loaded = await load(last.current);
      if (!isCurrent()) return;
      last.current = loaded;
      setDetail(loaded);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404 || !isCurrent()) return;
      last.current = undefined;
      setDetail("missing");
    }
  }, inputs);
  return detail;
}
