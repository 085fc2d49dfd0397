/**
 * Reads a member of anything; never throws.
 *
 * @param unreadable - Stands for a member whose getter throws. Default: `undefined`, as if it were absent.
 */
export function readMember(source: unknown, name: string, unreadable?: unknown): unknown {
  try {
    return (source as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return unreadable;
  }
}
