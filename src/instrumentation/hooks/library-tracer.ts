import { trace, type Context, type Span, type SpanOptions, type Tracer } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import { isUnobserved } from "../../scope/unobserved.ts";
import type { FetchObserverHost } from "../host.ts";
import { activeHookContext, runInside } from "./hook-context.ts";
import { createGuard } from "./hook-span.ts";
import { LibrarySpan, type SpanLibrary } from "./library-span.ts";

type Run = (span: Span) => unknown;

/** Spans that are open at a time; the one that started first is given up. */
const MAX_OPEN = 1000;

/** What stands for a span that is not recorded. */
const toNothing = (): Span => trace.wrapSpanContext({ traceId: "", spanId: "", traceFlags: 0 });

/**
 * Creates a tracer for a library that makes its own spans.
 *
 * The model calls inside are children of its spans. A span that can't be made stays away; the library's call goes on.
 */
export function createLibraryTracer(host: FetchObserverHost, library: SpanLibrary): Tracer {
  const open = new BoundedMap<string, LibrarySpan>(MAX_OPEN, (span) => span.abandon());
  const about = { library: library.name };
  const guard = createGuard(host, "a span of a library could not be made", about);

  /** An aborted run ends without the calls in it. */
  const onEnd = (span: LibrarySpan): void => {
    const { spanId } = span.spanContext();
    open.delete(spanId);
    for (const other of open.values()) {
      if (other.parentId !== spanId) continue;
      open.delete(other.spanContext().spanId);
      other.abandon();
    }
  };
  const startSpan = (
    name: string,
    options: SpanOptions = {},
    parent = activeHookContext(),
  ): Span => {
    if (isUnobserved()) return toNothing();
    let started: Span | undefined;
    guard(() => {
      const span = new LibrarySpan({ host, library, name, given: options, parent, onEnd });
      open.set(span.spanContext().spanId, span);
      started = span;
    });
    return started ?? toNothing();
  };
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const run = rest.at(-1) as Run;
    const [options, given] = rest.slice(0, -1) as [SpanOptions?, Context?];
    const parent = given ?? activeHookContext();
    const span = startSpan(name, options, parent);
    const inside = trace.setSpan(parent, span);
    return runInside(inside, () => run(span));
  };
  return { startSpan, startActiveSpan };
}
