/** What is told of a stream as its reader reads it; none of it may throw. */
export interface StreamReader {
  onValue(value: unknown): void;
  onDone(): void;
  onError(error: unknown): void;
  /** The reader wants no more. */
  onCancel(): void;
}

function observeIterator(
  iterator: AsyncIterator<unknown>,
  reader: StreamReader,
): AsyncIterableIterator<unknown> {
  const settle = async (
    step: Promise<IteratorResult<unknown>>,
  ): Promise<IteratorResult<unknown>> => {
    try {
      const result = await step;
      if (result.done === true) reader.onDone();
      else reader.onValue(result.value);
      return result;
    } catch (error) {
      reader.onError(error);
      throw error;
    }
  };
  const finish = async (value?: unknown): Promise<IteratorResult<unknown>> => {
    reader.onCancel();
    return iterator.return ? iterator.return(value) : { done: true, value };
  };
  const fail = async (error?: unknown): Promise<IteratorResult<unknown>> => {
    reader.onError(error);
    if (iterator.throw) return iterator.throw(error);
    throw error;
  };
  const observed = {
    next: (...args: [] | [unknown]) => settle(iterator.next(...args)),
    return: finish,
    throw: fail,
    [Symbol.asyncIterator]: () => observed,
  };
  return observed;
}

/**
 * Gives an object that is like another, whose values are seen as they are read: one at a time, when the reader asks.
 *
 * Nothing is read that the reader does not read, and nothing is kept.
 */
export function observeIterable<T extends object>(iterable: T, reader: StreamReader): T {
  const iterate = (iterable as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator];
  if (typeof iterate !== "function") return iterable;
  return new Proxy(iterable, {
    get(target, key) {
      if (key === Symbol.asyncIterator) {
        return () => observeIterator(iterate.call(target), reader);
      }
      const value: unknown = Reflect.get(target, key, target);
      // Methods of built-in streams only know their own object.
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
