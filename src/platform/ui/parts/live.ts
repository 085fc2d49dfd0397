/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ApiError, usePolling } from "../api.ts";

/** What was loaded last, and why the newest attempt has failed. */
export interface Live<Value> {
  readonly value: Value | undefined;
  /** `offline` where nobody has answered. */
  readonly failure: "offline" | ApiError | undefined;
}

/**
 * Loads something and follows it, every two seconds while the page is visible.
 *
 * @param inputs - Starts over when one of them changes.
 */
export function useLive<Value>(
  load: () => Promise<Value>,
  inputs: readonly unknown[] = [],
): Live<Value> {
  const [live, setLive] = useState<Live<Value>>({ value: undefined, failure: undefined });
  usePolling(async (isCurrent) => {
    try {
      const value = await load();
      if (isCurrent()) setLive({ value, failure: undefined });
    } catch (error) {
      const failure = error instanceof ApiError ? error : "offline";
      if (isCurrent()) setLive(({ value }) => ({ value, failure }));
    }
  }, inputs);
  return live;
}

/** Stands where nothing can be shown yet, and says above what is shown that it is not the newest. */
export function LiveState({ value, failure }: Live<unknown>): VNode | null {
  if (failure === undefined)
    return value === undefined ? html`<p class="empty" aria-busy="true">Loading…</p>` : null;
  const why = failure === "offline" ? "The platform does not answer." : `${failure.message}.`;
  const more = value === undefined ? "" : " What is shown was loaded before.";
  return html`<p class="notice" role="status">${why}${more} It is tried again by itself.</p>`;
}
