/** Something that is kept on objects of others, which nobody else sees. */
interface HiddenMember<T> {
  /** Gives what is kept on an object; `undefined` for anything on which nothing is. */
  get(target: unknown): T | undefined;
  /** Keeps something on an object, in the place of what is kept on it. */
  set(target: object, value: T): void;
}

/** A constructor that gives what it is given, so that a class can give a private field to any object. */
const Given = function (target: object): object {
  return target;
} as unknown as new (target: object) => object;

/**
 * Makes a way to keep something on objects, in a private field: a property takes longer and is seen, and maps of weak
 * keys cost the garbage collector more than all that is done with the objects.
 */
export function createHiddenMember<T>(): HiddenMember<T> {
  class Holder extends Given {
    #value: T;

    constructor(target: object, value: T) {
      super(target);
      this.#value = value;
    }

    static find(target: object): T | undefined {
      return #value in target ? target.#value : undefined;
    }

    static keep(target: object, value: T): void {
      if (#value in target) target.#value = value;
      else void new Holder(target, value);
    }
  }
  return {
    get: (target) =>
      typeof target === "object" && target !== null ? Holder.find(target) : undefined,
    set: (target, value) => Holder.keep(target, value),
  };
}

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
function createOverlay(native: object, overlay: Overlay): object {
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

/** Classes that are remembered: the platform has a handful. */
const MAX_CLASSES = 16;

type Known = readonly [native: object, overlay: object];

/** Makes what stands between objects and their class, once for each of the platform's. */
export class Overlays {
  readonly #names: readonly string[];
  readonly #create: (native: Methods) => Overlay;
  #known: Known[] | undefined;

  /** @param names - Of the classes whose objects come most. */
  constructor(names: readonly string[], create: (native: Methods) => Overlay) {
    this.#names = names;
    this.#create = create;
  }

  /** Puts what is ours between an object, which must be extensible, and its class. */
  put(target: object): void {
    Object.setPrototypeOf(target, this.#find(Object.getPrototypeOf(target) as object));
  }

  #find(native: object): object {
    // The platform loads its classes when they are asked for, which takes some milliseconds.
    this.#known ??= this.#names.flatMap((name) => {
      const { prototype } = (Reflect.get(globalThis, name) ?? {}) as { prototype?: object };
      return prototype ? [[prototype, this.#make(prototype)] as const] : [];
    });
    for (const [known, overlay] of this.#known) if (known === native) return overlay;
    // Of the platform's own, which it hands out in place of the public ones, and of others.
    const made = this.#make(native);
    if (this.#known.length < MAX_CLASSES) this.#known.push([native, made]);
    return made;
  }

  #make(native: object): object {
    return createOverlay(native, this.#create(native as Methods));
  }
}
