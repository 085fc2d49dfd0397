/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import type { PlatformStats } from "../options.ts";
import type { ConversationRow } from "../store/conversation-store.ts";
import { ANY_CONVERSATION, ApiError, loadConversations, loadStats, type Filter } from "./api.ts";

const POLL_MILLIS = 2000;

/**
 * Runs a loader at once and then every two seconds, while the page is visible.
 *
 * @param load - Gets a function that returns whether its result is still wanted.
 * @param inputs - Starts over when one of them changes.
 */
export function usePolling(
  load: (isCurrent: () => boolean) => Promise<void>,
  inputs: readonly unknown[],
): void {
  useEffect(() => {
    let isActive = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = async (): Promise<void> => {
      if (!document.hidden) await load(() => isActive);
      if (isActive) timer = setTimeout(() => void tick(), POLL_MILLIS);
    };
    void tick();
    return () => {
      isActive = false;
      clearTimeout(timer);
    };
  }, [...inputs]);
}

/** State of the connection between the page and the platform. */
export type State = "loading" | "ready" | "unauthorized" | "offline";

interface Pages {
  readonly newest: readonly ConversationRow[];
  /** Pages that the reader asked for; the newest page is the only one that is polled. */
  readonly older: readonly ConversationRow[];
  readonly next: string | null;
}

const NOTHING: Pages = { newest: [], older: [], next: null };

/** The list of conversations as the page shows it. */
export interface Listing {
  readonly state: State;
  readonly stats: PlatformStats | undefined;
  readonly conversations: readonly ConversationRow[];
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  /** Loads older conversations; absent when there are none. */
  readonly showOlder: (() => void) | undefined;
  /** Loads again, after a token was entered. */
  readonly retry: () => void;
}

function merge({ newest, older }: Pages): ConversationRow[] {
  const rows = new Map([...older, ...newest].map((row) => [row.key, row]));
  return [...rows.values()].toSorted((left, right) => right.lastAt - left.lastAt);
}

/** Loads the list of conversations and keeps it up to date. */
export function useListing(): Listing {
  const [state, setState] = useState<State>("loading");
  const [attempt, setAttempt] = useState(0);
  const [filter, setFilter] = useState<Filter>(ANY_CONVERSATION);
  const [stats, setStats] = useState<PlatformStats>();
  const [pages, setPages] = useState(NOTHING);

  const fail = (error: unknown): void => {
    setState(error instanceof ApiError && error.status === 401 ? "unauthorized" : "offline");
  };
  const poll = async (isCurrent: () => boolean): Promise<void> => {
    try {
      const [page, counts] = await Promise.all([loadConversations(filter), loadStats()]);
      if (!isCurrent()) return;
      setPages((old) => ({
        newest: page.conversations,
        older: old.older,
        next: old.older.length > 0 ? old.next : page.next,
      }));
      setStats(counts);
      setState("ready");
    } catch (error) {
      if (isCurrent()) fail(error);
    }
  };
  usePolling(poll, [filter, attempt]);

  const showOlder = async (before: string): Promise<void> => {
    const page = await loadConversations(filter, before);
    setPages((old) => ({ ...old, older: [...old.older, ...page.conversations], next: page.next }));
  };
  const { next } = pages;
  return {
    state,
    stats,
    conversations: merge(pages),
    filter,
    setFilter(chosen) {
      setFilter(chosen);
      setPages(NOTHING);
      setState("loading");
    },
    showOlder: next === null ? undefined : () => void showOlder(next).catch(fail),
    retry: () => setAttempt(attempt + 1),
  };
}
