/** What a platform takes out of Kafka. */
export interface Consumption {
  /** Records taken since the platform started. */
  readonly records: number;
  /** Those of them that nobody could store: they are in the topic of dead letters. */
  readonly dead: number;
  /** Whether it has a place in its group. */
  readonly isConnected: boolean;
  /** Returns how many records wait in the partitions that it has; `undefined` where brokers don't say. */
  findLag(): Promise<number | undefined>;
  close(): Promise<void>;
}
