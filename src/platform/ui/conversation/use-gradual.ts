import { useEffect, useState } from "preact/hooks";

/** Rows of the first picture: about what a window shows. */
const FIRST_ROWS = 15;
/** Rows that are added at a time: some milliseconds of work. */
const MORE_ROWS = 10;

/**
 * Says how many of some rows are to be shown: few at first, so that they are there at once, then more and more.
 *
 * @param isAll - Whether all are needed now, as on paper.
 */
export function useGradual(count: number, isAll: boolean): number {
  const [ready, setReady] = useState(FIRST_ROWS);
  const isReady = isAll || ready >= count;
  useEffect(() => {
    if (isReady) return undefined;
    const timer = setTimeout(() => setReady(ready + MORE_ROWS), 0);
    return () => clearTimeout(timer);
  }, [ready, isReady]);
  return isReady ? count : ready;
}
