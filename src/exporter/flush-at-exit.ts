import { onNaturalExit } from "../util/exit-hook.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { Sender } from "./sender.ts";
import type { Storage } from "./storage.ts";

/** Visits of the exit hook that may flush: an application that tracks at each would never end. */
const MAX_EXIT_FLUSHES = 10;

/**
 * Flushes when the process is about to end by itself, once for what was tracked until then.
 *
 * @returns Removes the hook.
 */
export function flushAtExit(
  sender: Sender,
  storage: Storage,
  log: BurstLogger,
  flush: () => Promise<void>,
): () => void {
  let lastSequence = -1;
  let visits = 0;
  return onNaturalExit(() => {
    visits++;
    // One more turn of the loop: a listener behind ours may track something yet.
    if (visits === 1) setImmediate(() => undefined);
    // The first time it is looked for what others left as well.
    if (sender.pending === 0 && visits > 1) return;
    if (storage.outbox.newestSequence === lastSequence || visits > MAX_EXIT_FLUSHES) {
      // The flush of the last visit did not get these through; waiting on would keep the process for ever.
      sender.dropPending("exit");
      storage.giveUpMemory("exit");
      log.flush();
      return;
    }
    lastSequence = storage.outbox.newestSequence;
    void flush();
  });
}
