/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConversationRow } from "../../store/conversation-store.ts";
import { ApiError, type ConversationPage, loadConversations, usePolling } from "../api.ts";
import { findOrder, placePage, type RowOrder } from "./place-page.ts";

/** Older page that is to be read again. */
interface Turn {
  readonly start: string;
  readonly after: ConversationRow;
}

interface List {
  readonly rows: readonly ConversationRow[];
  /** Where those begin that were not loaded. */
  readonly next: string | null;
  /** Whether older ones were asked for. */
  readonly isLong: boolean;
  readonly turn?: Turn | undefined;
}

const NOTHING: List = { rows: [], next: null, isLong: false };
/** A page left open for days is not to fill the memory: a longer list begins anew. */
const MAX_ROWS = 200_000;

function withNewest(old: List, page: ConversationPage, order: RowOrder): List {
  const { conversations, next } = page;
  const rows = placePage(old.rows, page, order);
  if (!old.isLong || next === null || rows.length > MAX_ROWS)
    return { rows: rows.slice(0, conversations.length), next, isLong: false };
  const after = conversations.at(-1);
  return { ...old, rows, turn: old.turn ?? (after && { start: next, after }) };
}

function withTurn(old: List, { after }: Turn, page: ConversationPage, order: RowOrder): List {
  const rows = placePage(old.rows, page, order, after);
  const { next } = page;
  const last = page.conversations.at(-1) ?? after;
  const end = rows.at(-1);
  if (next === null || !end || order(last, end) >= 0)
    return { ...old, rows, next, turn: undefined };
  return { ...old, rows, turn: { start: next, after: last } };
}

function withOlder(old: List, page: ConversationPage, order: RowOrder): List {
  const rows = placePage(old.rows, page, order, old.rows.at(-1));
  return { ...old, rows, next: page.next, isLong: true };
}

/**
 * Loads the list of conversations and keeps it up to date.
 *
 * @param delay - Milliseconds until it is loaded for the first time.
 */
export function useListing(query: string, delay: number) {
  const [list, setList] = useState<List>();
  const latest = useRef(NOTHING);
  const [problem, setProblem] = useState<string>();
  const order = findOrder(query);
  const fail = (error: unknown): void =>
    setProblem(error instanceof ApiError ? error.message : undefined);
  const update = (now: List): void => {
    latest.current = now;
    setList(now);
  };

  const follow = async (isCurrent: () => boolean): Promise<void> => {
    const page = await loadConversations(query);
    if (!isCurrent()) return;
    setProblem(undefined);
    const now = withNewest(latest.current, page, order);
    update(now);
    // One older page at a time: a row that no longer matches the filter is not to stay until the list is loaded anew.
    if (!now.turn) return;
    const older = await loadConversations(query, now.turn.start);
    if (isCurrent()) update(withTurn(latest.current, now.turn, older, order));
  };
  usePolling(
    (isCurrent) =>
      // When the platform does not respond, the bar at the top shows it.
      follow(isCurrent).catch((error: unknown) => {
        if (isCurrent()) fail(error);
      }),
    [query],
    delay,
  );
  useEffect(() => {
    latest.current = NOTHING;
    setList(undefined);
    setProblem(undefined);
  }, [query]);

  const [asked, setAsked] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const showOlder = async (before: string): Promise<void> => {
    if (asked === before) return;
    setAsked(before);
    setFailed(false);
    try {
      const page = await loadConversations(query, before);
      // The filter may be another one by now.
      if (latest.current.next === before) update(withOlder(latest.current, page, order));
    } catch (error) {
      setFailed(true);
      fail(error);
    } finally {
      setAsked(undefined);
    }
  };
  const { rows, next } = list ?? NOTHING;
  return {
    isLoading: list === undefined,
    /** What the platform says against the filter. */
    problem,
    conversations: rows,
    /** Where older conversations begin. */
    next,
    /** Whether older ones were asked for in vain. */
    hasFailed,
    /** Loads older conversations; absent when there are none. */
    showOlder: next === null ? undefined : () => void showOlder(next),
  };
}

/** The list of conversations as it is loaded so far. */
export type Listing = ReturnType<typeof useListing>;
