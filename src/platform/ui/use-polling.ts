/// <reference lib="dom" />
import { useEffect } from "preact/hooks";

const POLL_MILLIS = 2000;

/**
 * Runs a loader at once and then every two seconds, while the page is visible.
 *
 * @param load - Is told whether its answer is still wanted.
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
