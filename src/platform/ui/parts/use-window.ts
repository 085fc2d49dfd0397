/// <reference lib="dom" />
import { html } from "htm/preact";
import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Shorter lists are drawn whole. */
const MAX_WHOLE = 100;
/** How far above and below what is looked at rows are drawn, in CSS pixels. */
const MARGIN = 1200;
/** Scrolling by less draws nothing anew. */
const STEP = 300;
/** Height of a row that was never drawn. */
const USUAL_HEIGHT = 92;

/** What is drawn of a list: its rows from the first up to the end, and the height of all before and after. */
export interface ListWindow {
  readonly first: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** Returns the rows between two places of a list. */
export function findWindow(heights: readonly number[], top: number, bottom: number): ListWindow {
  let [first, end, before, at] = [0, 0, 0, 0];
  for (const [index, height] of heights.entries()) {
    const below = at + height;
    if (below <= top) [first, before] = [index + 1, below];
    if (at < bottom) end = index + 1;
    at = below;
  }
  const drawn = heights.slice(first, end).reduce((sum, height) => sum + height, 0);
  return { first, end, before, after: at - before - drawn };
}

/** A place of a pane: what is above it, and its own height. */
interface Place {
  readonly top: number;
  readonly height: number;
  /** Whether anybody has scrolled it. */
  readonly isScrolled: boolean;
  /** Whether it was scrolled to the end, or nearly. */
  readonly isNearEnd: boolean;
}

const START: Place = { top: 0, height: 1000, isScrolled: false, isNearEnd: false };

function readPlace({ scrollTop, clientHeight, scrollHeight }: HTMLElement): Place {
  const top = Math.floor(scrollTop / STEP) * STEP;
  const left = scrollHeight - scrollTop - clientHeight;
  // A list that nobody scrolls need not grow, however short it is.
  const isScrolled = scrollTop > 0;
  return { top, height: clientHeight, isScrolled, isNearEnd: isScrolled && left < 2 * MARGIN };
}

const isSame = (one: Place, other: Place): boolean =>
  one.top === other.top &&
  one.height === other.height &&
  one.isScrolled === other.isScrolled &&
  one.isNearEnd === other.isNearEnd;

/** What stands for rows that are not drawn. */
export function Space({ height }: { height: number }): VNode | false {
  return (
    height > 0 &&
    html`<li class="space" aria-hidden="true" style=${{ height: `${height}px` }}></li>`
  );
}

/**
 * Says which rows of a long list are drawn: those near what is looked at. The others are space as high as they were.
 *
 * @param pane - What scrolls; each row in it has its key as `data-row`.
 * @param isAll - Whether all are needed now, as on paper.
 */
export function useWindow(
  pane: RefObject<HTMLElement | null>,
  rows: readonly { readonly key: string }[],
  isAll: boolean,
) {
  const heights = useRef(new Map<string, number>());
  const [place, setPlace] = useState(START);
  const hadFocus = pane.current?.contains(document.activeElement) === true;
  useEffect(() => {
    const { current } = pane;
    if (!current) return undefined;
    const look = (): void => {
      // A phone shows one pane at a time: rows of a hidden list have no height.
      if (current.clientHeight === 0) return;
      for (const row of current.querySelectorAll<HTMLElement>("[data-row]"))
        heights.current.set(row.dataset["row"] ?? "", row.getBoundingClientRect().height);
      const now = readPlace(current);
      setPlace((old) => (isSame(old, now) ? old : now));
    };
    look();
    current.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => {
      current.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [rows.length]);
  useLayoutEffect(() => {
    // Where the row that had the focus is gone, keys go on scrolling.
    if (hadFocus && document.activeElement === document.body)
      pane.current?.focus({ preventScroll: true });
  });
  const { top, height, isScrolled, isNearEnd } = place;
  const isWhole = isAll || rows.length <= MAX_WHOLE;
  const known = rows.map(({ key }) => heights.current.get(key) ?? USUAL_HEIGHT);
  const window = isWhole
    ? { first: 0, end: rows.length, before: 0, after: 0 }
    : findWindow(known, top - MARGIN, top + height + MARGIN + STEP);
  return {
    ...window,
    isScrolled,
    isNearEnd,
    /** Scrolls to where a row is, or will be once it is drawn. */
    scrollToRow: (index: number): void => {
      const above = known.slice(0, index).reduce((sum, one) => sum + one, 0);
      pane.current?.scrollTo(0, above - height / 2);
    },
  };
}
