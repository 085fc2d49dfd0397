/** Orders of the queue: `rank` is what the judge says, then risk, then age. */
export const QUEUE_ORDERS = ["rank", "risk", "age", "due"] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];
