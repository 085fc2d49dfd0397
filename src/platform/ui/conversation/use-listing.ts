/// <reference lib="dom" />
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ConversationRow } from "../../store/conversation-store.ts";
import { ApiError, loadConversations, usePolling } from "../api.ts";

interface Pages {
  readonly newest: readonly ConversationRow[];
  /** Pages that the reader asked for; the newest page is the only one that is polled. */
  readonly older: readonly ConversationRow[];
  readonly next: string | null;
}

const NOTHING: Pages = { newest: [], older: [], next: null };

/** Each conversation once: one may have moved from a later page to the first. */
function merge({ newest, older }: Pages): ConversationRow[] {
  const isFirst = new Set(newest.map(({ key }) => key));
  return [...newest, ...older.filter(({ key }) => !isFirst.has(key))];
}

/** Returns what was loaded now, with the rows of before where they say the same. */
function keepSame(
  before: readonly ConversationRow[],
  loaded: readonly ConversationRow[],
): ConversationRow[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return loaded.map((row) => {
    const former = known.get(row.key);
    return former && JSON.stringify(former) === JSON.stringify(row) ? former : row;
  });
}

/**
 * Loads the list of conversations and keeps it up to date.
 *
 * @param delay - Milliseconds until it is loaded for the first time.
 */
export function useListing(query: string, delay: number) {
  const [pages, setPages] = useState<Pages>();
  const [problem, setProblem] = useState<string>();
  const fail = (error: unknown): void =>
    setProblem(error instanceof ApiError ? error.message : undefined);

  usePolling(
    async (isCurrent) => {
      // When the platform does not respond, the bar at the top shows it.
      const page = await loadConversations(query).catch((error: unknown) => {
        if (isCurrent()) fail(error);
      });
      if (!page || !isCurrent()) return;
      setProblem(undefined);
      setPages((old = NOTHING) => ({
        newest: keepSame(old.newest, page.conversations),
        older: old.older,
        next: old.older.length > 0 ? old.next : page.next,
      }));
    },
    [query],
    delay,
  );
  useEffect(() => {
    setPages(undefined);
    setProblem(undefined);
  }, [query]);

  const [asked, setAsked] = useState<string>();
  const showOlder = async (before: string): Promise<void> => {
    if (asked === before) return;
    setAsked(before);
    try {
      const page = await loadConversations(query, before);
      // The filter may be another one by now.
      setPages((old = NOTHING) =>
        old.next === before
          ? { ...old, older: [...old.older, ...page.conversations], next: page.next }
          : old,
      );
    } finally {
      setAsked(undefined);
    }
  };
  const { next } = pages ?? NOTHING;
  const conversations = useMemo(() => merge(pages ?? NOTHING), [pages]);
  return {
    isLoading: pages === undefined,
    /** What the platform says against the filter. */
    problem,
    conversations,
    /** Where older conversations begin. */
    next,
    isLoadingOlder: asked !== undefined,
    /** Loads older conversations; absent when there are none. */
    showOlder: next === null ? undefined : () => void showOlder(next).catch(fail),
  };
}

/** The list of conversations as it is loaded so far. */
export type Listing = ReturnType<typeof useListing>;
