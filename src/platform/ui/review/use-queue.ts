import { useEffect, useState } from "preact/hooks";
import type { ShownItem } from "../../store/review-queue.ts";
import { ApiError, usePolling } from "../api.ts";
import { loadQueue } from "./review-api.ts";

interface Pages {
  readonly first: readonly ShownItem[];
  readonly more: readonly ShownItem[];
  readonly next: string | null;
}

const NOTHING: Pages = { first: [], more: [], next: null };

/** Loads the queue and follows it. */
export function useQueue(query: string) {
  const [pages, setPages] = useState<Pages>();
  const [failure, setFailure] = useState<"unauthorized" | "offline">();
  const [attempt, setAttempt] = useState(0);
  const fail = (error: unknown): void =>
    setFailure(error instanceof ApiError && error.status === 401 ? "unauthorized" : "offline");
  usePolling(
    async (isCurrent) => {
      try {
        const { items, next } = await loadQueue(query);
        if (!isCurrent()) return;
        setPages((old) => ({
          first: items,
          more: old?.more ?? [],
          next: old && old.more.length > 0 ? old.next : next,
        }));
        setFailure(undefined);
      } catch (error) {
        if (isCurrent()) fail(error);
      }
    },
    [query, attempt],
  );
  useEffect(() => setPages(undefined), [query]);
  const { first, more, next } = pages ?? NOTHING;
  const [asked, setAsked] = useState<string>();
  const showMore = async (after: string): Promise<void> => {
    if (asked === after) return;
    setAsked(after);
    try {
      const page = await loadQueue(query, after);
      // The filter may be another one by now.
      setPages((old = NOTHING) =>
        old.next === after ? { ...old, more: [...old.more, ...page.items], next: page.next } : old,
      );
    } finally {
      setAsked(undefined);
    }
  };
  const isFirst = new Set(first.map(({ key }) => key));
  return {
    /** Each item once: one may have moved from a later page to the first. */
    items: [...first, ...more.filter(({ key }) => !isFirst.has(key))],
    isLoading: pages === undefined,
    failure,
    /** Where items begin that were not loaded. */
    next,
    showMore: next === null ? undefined : () => void showMore(next).catch(fail),
    /** Loads again at once. */
    refresh: () => setAttempt((count) => count + 1),
  };
}

/** The queue as the page shows it. */
export type Queue = ReturnType<typeof useQueue>;
