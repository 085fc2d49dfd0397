import { onExit, onNaturalExit } from "../util/exit-hook.ts";
import type { Sender } from "./sender.ts";
import type { Storage } from "./storage.ts";

/** Number of exit hook calls that may flush: an application that tracks at each would never end. */
const MAX_EXIT_FLUSHES = 10;

/**
 * Flushes when the process is about to end by itself, once for the events tracked until then; counts and logs the
 * events that are lost in the end, however the process ends. Exit codes stay as they are.
 *
 * @param reportLosses - Logs everything that was lost.
 * @returns A function that removes the hooks.
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
    // One more turn of the loop: a listener after ours may still track something.
    if (visits === 1) setImmediate(() => undefined);
    // The first time, also looks for events that others have left.
    if (sender.pending === 0 && visits > 1) return;
    if (storage.outbox.newestSequence === lastSequence || visits > MAX_EXIT_FLUSHES) {
      // The last flush did not deliver these events; another wait would keep the process alive for ever.
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
