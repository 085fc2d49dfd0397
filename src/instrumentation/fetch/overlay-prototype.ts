type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Methods and getters that stand before those of a class. */
export type Overlay = Readonly<Record<PropertyKey, Method>>;
/** Methods of a class. */
export type Methods = Readonly<Record<PropertyKey, Method>>;

/** Gives a method the name and the length of the one that it stands before. */
function pose(
  method: Method,
  { name, length }: { readonly name: string; readonly length: number },
): Method {
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

/** Puts a method, or a getter, in the place of the one of a class; nothing in that of anything else. */
function replace(descriptor: PropertyDescriptor, ours: Method): PropertyDescriptor | undefined {
  const { value, get } = descriptor as { readonly value?: unknown; readonly get?: Method };
  if (typeof value === "function") return { ...descriptor, value: pose(ours, value) };
  return get && { ...descriptor, get: pose(ours, get) };
}

/**
 * Makes a prototype that stands between objects of a class and the class: some methods and getters are ours, all else
 * is the class's. The objects get no members of their own for it, and `for … in` gives what it would, in the same order.
 *
 * A member that the class does not have stays away.
 */
export function createOverlay(native: object, overlay: Overlay): object {
  const prototype = Object.create(native) as object;
  for (const [name, descriptor] of listMembers(native)) {
    const ours = Object.hasOwn(overlay, name) ? overlay[name as string] : undefined;
    const replaced = ours && replace(descriptor, ours);
    if (replaced) Object.defineProperty(prototype, name, replaced);
    else if (descriptor.enumerable === true && typeof name === "string") {
      Object.defineProperty(prototype, name, descriptor);
    }
  }
  return prototype;
}
