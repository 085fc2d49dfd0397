interface Wait {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function createWait(): Wait {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Something that happens now and then, and that can be waited for. */
export class Occasion {
  #next: Wait | undefined;

  /** Resolves when it happens the next time. */
  wait(): Promise<void> {
    this.#next ??= createWait();
    return this.#next.promise;
  }

  /** It happens: whoever waits goes on. */
  happen(): void {
    this.#next?.resolve();
    this.#next = undefined;
  }
}
