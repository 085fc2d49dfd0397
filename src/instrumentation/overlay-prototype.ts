type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Methods that stand before those of a class. */
export type Overlay = Readonly<Record<PropertyKey, Method>>;

/** Gives a method the name and the length of the one that it stands before. */
function pose(method: Method, { name, length }: Method): Method {
  return Object.defineProperties(method, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  });
}

/** Lists the members of a class and of those that it extends, in the order in which `for … in` finds them. */
function listMembers(native: object): Map<PropertyKey, PropertyDescriptor> {
  const members = new Map<PropertyKey, PropertyDescriptor>();
  let level: object | null = native;
  while (level !== null && level !== Object.prototype) {
    for (const name of Reflect.ownKeys(level)) {
      const descriptor = Object.getOwnPropertyDescriptor(level, name);
      if (descriptor && !members.has(name)) members.set(name, descriptor);
    }
    level = Object.getPrototypeOf(level) as object | null;
  }
  return members;
}

/**
 * Makes a prototype that stands between objects of a class and the class: some methods are ours, all else is the
 * class's. The objects get no members of their own for it, and `for … in` gives what it would, in the same order.
 *
 * A method that the class does not have stays away.
 */
export function createOverlay(native: object, methods: Overlay): object {
  const overlay = Object.create(native) as object;
  for (const [name, descriptor] of listMembers(native)) {
    const method = Object.hasOwn(methods, name) ? methods[name as string] : undefined;
    if (method && typeof descriptor.value === "function") {
      const value = pose(method, descriptor.value as Method);
      Object.defineProperty(overlay, name, { ...descriptor, value });
    } else if (descriptor.enumerable === true && typeof name === "string") {
      Object.defineProperty(overlay, name, descriptor);
    }
  }
  return overlay;
}
