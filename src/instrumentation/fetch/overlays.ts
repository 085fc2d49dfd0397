import { createOverlay, type Methods, type Overlay } from "./overlay-prototype.ts";

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
