import { isObject } from "../../util/values.ts";

/** A value that is kept on foreign objects, invisible to their owners. */
interface HiddenMember<T> {
  /** Returns the value on an object; `undefined` if there is none. */
  get(target: unknown): T | undefined;
  /** Sets the value on an object. */
  set(target: object, value: T): void;
}

/** A constructor that returns its argument, so that a class can add a private field to any object. */
const Given = function (target: object): object {
  return target;
} as unknown as new (target: object) => object;

/**
 * Creates a member that keeps values on objects in a private field: a property is slower and visible, and weak maps
 * cost the garbage collector more than everything else that is done with the objects.
 */
export function createHiddenMember<T>(): HiddenMember<T> {
  class Holder extends Given {
    #value: T;

    constructor(target: object, value: T) {
      super(target);
      this.#value = value;
    }

    static get(target: unknown): T | undefined {
      return isObject(target) && #value in target ? target.#value : undefined;
    }

    static set(target: object, value: T): void {
      if (#value in target) target.#value = value;
      else void new Holder(target, value);
    }
  }
  return Holder;
}

/** A method or a getter. */
export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Methods of a class; in an overlay methods and getters that replace them. */
export type Methods = Readonly<Record<PropertyKey, Method>>;

/** Sets a method's `name` and `length` to those of the method it replaces. */
function pose(method: Method, { name, length }: Method): Method {
  return Object.defineProperties(method, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  });
}

/** Lists the members of a class and of its superclasses, in the order of `for … in`. */
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

/** Returns a descriptor in which a method or a getter is replaced; `undefined` for any other member. */
function replace(descriptor: PropertyDescriptor, ours: Method): PropertyDescriptor | undefined {
  const { value, get } = descriptor as { readonly value?: unknown; readonly get?: Method };
  if (typeof value === "function") return { ...descriptor, value: pose(ours, value as Method) };
  return get && { ...descriptor, get: pose(ours, get) };
}

/**
 * Creates a prototype between objects of a class and the class: some methods and getters are ours, all others are the
 * class's. The objects get no own members, and `for … in` lists the same names in the same order.
 *
 * Members that the class lacks are left out.
 */
function createOverlay(native: object, overlay: Methods): object {
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

/** Most remembered classes; the platform has a handful. */
const MAX_CLASSES = 16;

type Known = readonly [native: object, overlay: object];

/**
 * Creates the prototypes between objects and their class, one for each class of the platform.
 *
 * @param names - Names of the most frequent classes.
 * @returns A function that puts our prototype between an object, which must be extensible, and its class.
 */
export function createOverlays(
  names: readonly string[],
  create: (native: Methods) => Methods,
): (target: object) => void {
  const make = (native: object): object => createOverlay(native, create(native as Methods));
  let known: Known[] | undefined;
  const find = (native: object): object => {
    // The platform loads these classes on first access, which takes some milliseconds.
    known ??= names.flatMap((name) => {
      const { prototype } = (Reflect.get(globalThis, name) ?? {}) as { prototype?: object };
      return prototype ? [[prototype, make(prototype)] as const] : [];
    });
    for (const [theirs, overlay] of known) if (theirs === native) return overlay;
    // Internal classes that the platform uses in place of the public ones, and foreign classes.
    const made = make(native);
    if (known.length < MAX_CLASSES) known.push([native, made]);
    return made;
  };
  return (target) =>
    void Object.setPrototypeOf(target, find(Object.getPrototypeOf(target) as object));
}
