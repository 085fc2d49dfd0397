/// <reference lib="dom" />
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Says how many entries have come since the reader has seen the last one, and follows them where the end is looked at.
 *
 * @param isWhole - Whether the last entry is that of the conversation: pages that the reader asks for are not new.
 */
export function useNewest(end: RefObject<HTMLElement | null>, count: number, isWhole: boolean) {
  const [seen, setSeen] = useState(count);
  const isAtEnd = useRef(false);
  const newest = useRef(count);
  const wasWhole = useRef(isWhole);
  newest.current = count;
  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      isAtEnd.current = entries.at(-1)?.isIntersecting === true;
      if (isAtEnd.current) setSeen(newest.current);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!wasWhole.current) setSeen(count);
    else if (isAtEnd.current && count > seen) end.current?.scrollIntoView({ block: "end" });
    wasWhole.current = isWhole;
  }, [count, isWhole]);
  return {
    unseen: Math.max(0, count - seen),
    showNewest: () => end.current?.scrollIntoView({ block: "end" }),
  };
}
