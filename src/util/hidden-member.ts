/** Something that is kept on objects of others, which nobody else sees. */
export interface HiddenMember<T> {
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
