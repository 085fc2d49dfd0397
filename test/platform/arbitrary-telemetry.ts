import * as fc from "fast-check";

const text = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.constant("__proto__"));
const name = text.filter((value) => value !== "");
const number = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.maxSafeInteger(),
    fc.constantFrom(0, -1, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  )
  .filter((value) => Number.isSafeInteger(value) || !Number.isInteger(value));
const scalar = fc.oneof(text, fc.boolean(), number);
const attributes = fc.dictionary(name, fc.oneof(scalar, fc.array(scalar)));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.uint8Array().map((bytes) => new Uint8Array(bytes)),
    fc.array(tie("tree")),
    fc.dictionary(name, tie("tree")),
  ),
}));

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef".split("")), {
      minLength: digits,
      maxLength: digits,
    })
    .map((all) => all.join(""))
    .filter((id) => /[^0]/.test(id));
const context = fc.record({
  traceId: hex(32),
  spanId: hex(16),
  traceFlags: fc.constant(1),
  isRemote: fc.constant(false),
});
const time = fc.tuple(fc.integer({ min: 1, max: 18_446_744_072 }), fc.nat(999_999_999));
const resource = fc.record({ attributes });
const instrumentationScope = fc.record({ name, version: name });

/** Any span, as OpenTelemetry's serialisers take it. */
export const span = fc
  .record({
    name,
    kind: fc.nat(4),
    context,
    parent: fc.option(context, { nil: undefined }),
    startTime: time,
    endTime: time,
    status: fc.record({ code: fc.nat(2), message: name }),
    attributes,
    events: fc.array(fc.record({ time, name, attributes, droppedAttributesCount: fc.nat(1000) }), {
      maxLength: 3,
    }),
    links: fc.array(fc.record({ context, attributes, droppedAttributesCount: fc.nat(1000) }), {
      maxLength: 3,
    }),
    resource,
    instrumentationScope,
    droppedAttributesCount: fc.nat(),
    droppedEventsCount: fc.nat(),
    droppedLinksCount: fc.nat(),
  })
  .map(({ context: own, parent, ...rest }) => ({
    ...rest,
    ...(parent && { parentSpanContext: { ...parent, traceId: own.traceId } }),
    spanContext: () => own,
  }));

/** Any log record, as OpenTelemetry's serialisers take it. */
export const record = fc.record({
  hrTime: time,
  hrTimeObserved: time,
  spanContext: context,
  severityNumber: fc.integer({ min: 1, max: 24 }),
  severityText: name,
  eventName: name,
  body: tree,
  attributes: fc.dictionary(name, tree),
  resource,
  instrumentationScope,
  droppedAttributesCount: fc.nat(),
});
