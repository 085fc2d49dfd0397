/**
 * Returns a view of `item` in which the given members are overridden. `item` is not changed.
 *
 * The members are enumerable, as exporters expect; private members and getters of `item` keep working.
 */
export function overrideMembers<T extends object>(item: T, members: Partial<T>): T {
  const own = Object.entries(members).map(([name, value]): [string, PropertyDescriptor] => [
    name,
    { value, enumerable: true },
  ]);
  return Object.create(item, Object.fromEntries(own)) as T;
}
