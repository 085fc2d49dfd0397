const WIDTH = 24;
const FULL = "█";
const EMPTY = "░";
/** Time between two drawings: a terminal must not become the work. */
const INTERVAL_MILLIS = 80;
const NUMBER = new Intl.NumberFormat("en-US");

/** Draws how far long work is. */
export interface Progress {
  /** @param total - Absent where it is not known: then only the number is drawn. */
  show(what: string, done: number, total?: number): void;
  /** Takes the bar away. */
  end(): void;
}

/** Writes a bar with its numbers. */
export function formatProgress(what: string, done: number, total: number | undefined): string {
  if (total === undefined) return `${NUMBER.format(done)} ${what}`;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.round(share * WIDTH);
  const bar = FULL.repeat(full) + EMPTY.repeat(WIDTH - full);
  return `${bar} ${NUMBER.format(done)} of ${NUMBER.format(total)} ${what}`;
}

const SILENT: Progress = { show: () => undefined, end: () => undefined };

/** The part of a terminal that is used. */
interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Creates a bar on the standard error; one that draws nothing where that is no terminal, or where the output is for programs.
 *
 * @param isJson - Whether the command prints JSON.
 */
export function createProgress(
  isJson: boolean,
  terminal: Terminal = process.stderr,
  now: () => number = Date.now,
): Progress {
  if (terminal.isTTY !== true || isJson) return SILENT;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    show(what, done, total) {
      const isLast = done === total;
      if (!isLast && now() - drawnAt < INTERVAL_MILLIS) return;
      drawnAt = now();
      isDrawn = true;
      terminal.write(`\r\u001b[2K${formatProgress(what, done, total)}`);
    },
    end() {
      if (isDrawn) terminal.write("\r\u001b[2K");
      isDrawn = false;
    },
  };
}

/**
 * Hands values on, and draws how many there were; the bar is gone at the end.
 *
 * @param toCount - Returns the number to draw, where it is not that of the values.
 */
export async function* countProgress<T>(
  values: AsyncIterable<T>,
  progress: Progress,
  what: string,
  toCount?: () => number,
): AsyncGenerator<T> {
  let count = 0;
  try {
    for await (const value of values) {
      count++;
      progress.show(what, toCount?.() ?? count);
      yield value;
    }
  } finally {
    progress.end();
  }
}
