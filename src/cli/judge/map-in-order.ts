import { handled } from "../../util/handled.ts";

/** Runs a task for each element, so many at a time, and gives what they come to in the order of the elements. */
export async function* mapInOrder<T, R>(
  elements: AsyncIterable<T>,
  maxRunning: number,
  run: (element: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const element of elements) {
    running.push(handled(run(element)));
    if (running.length < maxRunning) continue;
    const first = running.shift();
    if (first) yield await first;
  }
  yield* running;
}
