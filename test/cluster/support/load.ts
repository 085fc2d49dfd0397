import { pause } from "../../collector/wait.ts";
import { createBatch, createEvent, type JsonObject, postBatch } from "../../platform/helpers.ts";

const SENDERS = 2;
const EVENTS_PER_BATCH = 5;
const RETRY_MILLIS = 50;
/** Leaves the machine to the brokers, and to the commands that move their partitions. */
const PAUSE_MILLIS = 10;

/** Batches that are sent all the time. */
export interface Load {
  /** Ids of the events whose batch was acknowledged. */
  readonly acknowledged: readonly string[];
  /** Statuses of what was not. */
  readonly refused: ReadonlySet<number>;
  /** Sends no new ones; resolves once all are acknowledged. */
  stop(): Promise<void>;
}

/** Sends batches to a gateway, each again until it is acknowledged; of those that nobody answers the status is 0. */
export function startLoad(url: string): Load {
  const acknowledged: string[] = [];
  const refused = new Set<number>();
  const end = new AbortController();

  const sendOnce = async (batch: JsonObject): Promise<number> => {
    try {
      return (await postBatch({ url }, batch)).status;
    } catch {
      return 0;
    }
  };
  const deliver = async (): Promise<void> => {
    const events = Array.from({ length: EVENTS_PER_BATCH }, () => createEvent());
    const batch = createBatch(events);
    for (;;) {
      const status = await sendOnce(batch);
      if (status === 202) break;
      refused.add(status);
      await pause(RETRY_MILLIS);
    }
    acknowledged.push(...events.map(({ eventId }) => String(eventId)));
  };
  const send = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await deliver();
      await pause(PAUSE_MILLIS);
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, send));
  return {
    acknowledged,
    refused,
    async stop() {
      end.abort();
      await sending;
    },
  };
}
