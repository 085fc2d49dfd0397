import type { Clock } from "../../util/clock.ts";
import type { Logger } from "../../events/utility.ts";
import { countNoun } from "../../util/count-noun.ts";
import { toErrorName } from "../../util/logger.ts";
import { SYSTEM } from "../review/roles.ts";
import { purge, type PurgeRoom } from "./purge.ts";

/** An administrator who has started the platform with a wrong clock or policy has this time to stop it. */
const FIRST_MILLIS = 600_000;
const HOUR_MILLIS = 3_600_000;
const HOURS = 24;
/** Purges once a day while the platform runs; without a policy it does nothing. */
export function startPurges(
  room: PurgeRoom,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
) {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let cancel = (): void => undefined;

  const run = async (): Promise<void> => {
    const part = { actor: SYSTEM, limit: Infinity, signal: stop.signal };
    const { conversations, events } = await purge(room, part);
    if (conversations > 0)
      logger.info(
        `retention: ${countNoun(conversations, "conversation")} removed, ${countNoun(events, "event")}`,
      );
  };

  const tick = (hour: number): void => {
    // Asked each hour, so that it knows what the clock has said.
    room.asOf();
    if (hour % HOURS === 0)
      running = running
        .then(run)
        .catch((error: unknown) => logger.error(`retention: failed (${toErrorName(error)})`));
    cancel = clock.schedule(() => tick(hour + 1), HOUR_MILLIS);
  };

  if (room.policy.length > 0) {
    room.asOf();
    cancel = clock.schedule(() => tick(0), FIRST_MILLIS);
  }
  return {
    /** Ends a purge that is under way, between two conversations. */
    async close(): Promise<void> {
      cancel();
      stop.abort();
      await running;
    },
  };
}
