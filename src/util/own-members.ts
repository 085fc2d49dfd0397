/**
 * Gives the first members of an object that are its own, by name; members that throw are told as `unreadable`.
 *
 * Bytes have none: their numbers would be millions. The language offers no way to name a few members of many, so that those
 * of one huge object are all named once, and no more of them is read.
 */
export function* ownMembers(
  source: object,
  most: number,
  unreadable?: unknown,
): Generator<[name: string, value: unknown], void> {
  if (ArrayBuffer.isView(source)) return;
  let count = 0;
  for (const name in source) {
    if (!Object.hasOwn(source, name)) continue;
    if (count++ === most) return;
    let value = unreadable;
    try {
      value = (source as Readonly<Record<string, unknown>>)[name];
    } catch {
      // Told as what stands for it.
    }
    yield [name, value];
  }
}
