/** An application that never lets go has its tasks done in between. */
const MAX_TASKS = 1000;

/** Does things once the application has gone on, in order; what fails is told and costs only itself. */
export class Later {
  readonly #onProblem: (error: unknown) => void;
  #tasks: (() => void)[] = [];
  #turn: NodeJS.Immediate | undefined;

  constructor(onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem;
  }

  /** Adds a task; the process stays until it is done. */
  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#tasks.length >= MAX_TASKS) this.run();
    else this.#turn ??= setImmediate(() => this.run());
  }

  /** Does now what waits. */
  run(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) {
      try {
        task();
      } catch (error) {
        this.#onProblem(error);
      }
    }
  }
}
