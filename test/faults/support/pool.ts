/**
 * Does something with each value, a few at a time; gives the results in order.
 *
 * When one fails, no other is begun, and what runs already ends before the failure is told.
 */
export async function inParallel<T, R>(
  values: readonly T[],
  width: number,
  run: (value: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    try {
      while (next < values.length) {
        const index = next++;
        results[index] = await run(values[index]!, index);
      }
    } catch (error) {
      next = values.length;
      throw error;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: width }, work));
  const failed = workers.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return results;
}
