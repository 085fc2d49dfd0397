/**
 * Gives an object that has some members of its own and everything else of another one, which stays as it is.
 *
 * They are enumerable, as exporters expect; private members and getters of the other one go on working.
 */
export function overrideMembers<T extends object>(item: T, members: Partial<T>): T {
  const own = Object.entries(members).map(([name, value]): [string, PropertyDescriptor] => [
    name,
    { value, enumerable: true },
  ]);
  return Object.create(item, Object.fromEntries(own)) as T;
}
