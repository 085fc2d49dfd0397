import { Session, type Profiler } from "node:inspector";

/** Built-in methods that look at all of what they are called on; their length counts. */
const WHOLE_STRING = ["includes", "toLowerCase", "toUpperCase", "normalize"] as const;
const WHOLE_ARRAY = ["slice", "concat", "includes", "join", "toSorted"] as const;

/** Counts the steps of code. */
export interface StepCounter {
  /** Gives the steps of a call. */
  count(call: () => void): number;
  /** Lists where most of the steps of a call are taken, for whoever looks for a slow place. */
  explain(call: () => void): string[];
  stop(): void;
}

/** What a regular expression has read of a text after a call. */
function readBy(
  pattern: RegExp,
  text: string,
  from: number,
  match: RegExpExecArray | null,
): number {
  // One that is anchored to the start gives up there.
  if (match === null && pattern.source.startsWith("^") && !pattern.multiline) return 1;
  return (match ? match.index + match[0].length : text.length) - from;
}

/** Has a method add what it costs to a sum, until it is put back. */
function wrap<Owner extends object>(
  owner: Owner,
  name: keyof Owner,
  around: (original: (...given: unknown[]) => unknown) => (...given: unknown[]) => unknown,
): () => void {
  const original = owner[name];
  Object.assign(owner, { [name]: around(original as (...given: unknown[]) => unknown) });
  return () => Object.assign(owner, { [name]: original });
}

/**
 * Counts what code does: how often each of its blocks runs (V8's precise coverage), and what its regular expressions
 * and the built-in methods read and copy.
 *
 * The same call takes the same number of steps on every machine, however busy. Code that was loaded before is counted by
 * functions only: import it behind this.
 *
 * @param within - What the address of a counted module has.
 */
export function startCounting(within: string): StepCounter {
  const session = new Session();
  session.connect();
  const post = (method: string, parameters?: object): unknown => {
    let result: unknown;
    session.post(method, parameters, (error, value) => {
      if (error) throw error;
      result = value;
    });
    return result;
  };
  post("Profiler.enable");
  post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  let native = 0;
  const byPattern = new Map<string, number>();
  const add = (what: string, steps: number): void => {
    native += steps;
    byPattern.set(what, (byPattern.get(what) ?? 0) + steps);
  };

  const begin = (): (() => void) => {
    native = 0;
    byPattern.clear();
    const exec = wrap(RegExp.prototype, "exec", (original) => {
      return function counted(this: RegExp, ...given: unknown[]) {
        const from = this.global || this.sticky ? this.lastIndex : 0;
        const match = original.apply(this, given) as RegExpExecArray | null;
        add(this.source, 1 + Math.max(0, readBy(this, String(given[0]), from, match)));
        return match;
      };
    });
    const lengths = [
      ...WHOLE_STRING.map((name) => [String.prototype, name] as const),
      ...WHOLE_ARRAY.map((name) => [Array.prototype, name] as const),
    ].map(([owner, name]) =>
      wrap(owner, name as never, (original) => {
        return function counted(this: { readonly length: number }, ...given: unknown[]) {
          const result = original.apply(this, given);
          add(`${name}()`, Array.isArray(result) ? result.length : this.length);
          return result;
        };
      }),
    );
    return () => {
      for (const restore of [exec, ...lengths]) restore();
    };
  };

  const taken = (call: () => void): Profiler.ScriptCoverage[] => {
    post("Profiler.takePreciseCoverage");
    const end = begin();
    try {
      call();
    } finally {
      end();
    }
    const { result } = post(
      "Profiler.takePreciseCoverage",
    ) as Profiler.TakePreciseCoverageReturnType;
    return result.filter(({ url }) => url.includes(within));
  };
  const sum = (script: Profiler.ScriptCoverage): number =>
    script.functions.flatMap(({ ranges }) => ranges).reduce((all, { count }) => all + count, 0);

  return {
    count: (call) => taken(call).reduce((all, script) => all + sum(script), 0) + native,
    explain: (call) => {
      const lines = taken(call).flatMap(({ url, functions }) =>
        functions.map(({ functionName, ranges }) => ({
          steps: ranges.reduce((all, { count }) => all + count, 0),
          place: `${url.slice(url.lastIndexOf("/") + 1)} ${functionName}`,
        })),
      );
      for (const [place, steps] of byPattern) lines.push({ steps, place });
      const top = lines.toSorted((one, other) => other.steps - one.steps).slice(0, 20);
      return top.map(({ steps, place }) => `${steps} ${place.slice(0, 100)}`);
    },
    stop: () => {
      post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
