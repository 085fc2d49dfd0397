/** A span as returned by `GET /api/traces/{traceId}`. */
export interface ShownSpan {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: "error" | "ok" | "unset"; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly unknown[];
  readonly scope: { readonly name: string };
}

/** A span and how many spans are above it. */
export interface Branch {
  readonly span: ShownSpan;
  readonly depth: number;
}

const NANOS_PER_MILLI = 1e6;

/** Returns a span's duration; 0 where its clock was set back. */
export function toDurationMillis({ startTimeUnixNano, endTimeUnixNano }: ShownSpan): number {
  const nanos = BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano);
  return Math.max(0, Number(nanos) / NANOS_PER_MILLI);
}

/** Returns the spans of every parent, and under `undefined` those whose parent is missing. */
function toChildren(spans: readonly ShownSpan[]): Map<string | undefined, ShownSpan[]> {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = new Map<string | undefined, ShownSpan[]>();
  for (const span of spans) {
    const { parentSpanId = "" } = span;
    const key = ids.has(parentSpanId) ? parentSpanId : undefined;
    const siblings = children.get(key) ?? [];
    children.set(key, siblings);
    siblings.push(span);
  }
  return children;
}

/**
 * Puts every span under its parent, and keeps the order among siblings.
 *
 * A span whose parent is missing is at the top, and so is one that is its own ancestor.
 */
export function toBranches(spans: readonly ShownSpan[]): Branch[] {
  const children = toChildren(spans);
  const branches: Branch[] = [];
  const left = new Set(spans);
  const visit = (first: readonly ShownSpan[]): void => {
    // An explicit stack: a trace may be deeper than the engine's.
    const stack = first.toReversed().map((span) => ({ span, depth: 0 }));
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { span, depth } = next;
      if (!left.delete(span)) continue;
      branches.push(next);
      for (const child of (children.get(span.spanId) ?? []).toReversed())
        stack.push({ span: child, depth: depth + 1 });
    }
  };
  visit(children.get(undefined) ?? []);
  for (const span of spans) if (left.has(span)) visit([span]);
  return branches;
}
