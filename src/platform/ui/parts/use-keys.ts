/// <reference lib="dom" />
import { useLayoutEffect } from "preact/hooks";

/**
 * Listens to keys of the whole page, with what was drawn last. Where there is no listener nothing is listened to.
 *
 * Before the page is painted: an effect comes behind it, and a key that is pressed as soon as something is seen would be lost.
 */
export function useKeys(onKey: ((event: KeyboardEvent) => void) | undefined): void {
  useLayoutEffect(() => {
    if (!onKey) return undefined;
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
