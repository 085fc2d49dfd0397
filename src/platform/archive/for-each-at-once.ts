/** Works on items, a bounded number at a time; rejects with the first failure, once nothing is under way any more. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  const serve = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
        waiting.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, serve));
  if (failures.length > 0) throw failures[0];
}
