import { onExit, onNaturalExit } from "../util/exit-hook.ts";
import type { Sender } from "./sender.ts";
import type { Storage } from "./storage.ts";

/** Visits of the exit hook that may flush: an application that tracks at each would never end. */
const MAX_EXIT_FLUSHES = 10;

/**
 * Flushes when the process is about to end by itself, once for what was tracked until then; what is lost in the end,
 * however it comes, is counted and told. Exit codes stay as they are.
 *
 * @param reportLosses - Tells of everything that was lost.
 * @returns Removes the hooks.
 */
export function flushAtExit(
  sender: Sender,
  storage: Storage,
  flush: () => Promise<void>,
  reportLosses: () => void,
): () => void {
  let lastSequence = -1;
  let visits = 0;
  const giveUp = (): void => {
    sender.dropPending("exit");
    storage.giveUpMemory("exit");
    reportLosses();
  };
  const removeNatural = onNaturalExit(() => {
    visits++;
    // One more turn of the loop: a listener behind ours may track something yet.
    if (visits === 1) setImmediate(() => undefined);
    // The first time it is looked for what others left as well.
    if (sender.pending === 0 && visits > 1) return;
    if (storage.outbox.newestSequence === lastSequence || visits > MAX_EXIT_FLUSHES) {
      // The flush of the last visit did not get these through; waiting on would keep the process for ever.
      giveUp();
      return;
    }
    lastSequence = storage.outbox.newestSequence;
    void flush();
  });
  const removeLast = onExit(giveUp);
  return () => {
    removeNatural();
    removeLast();
  };
}
