import { describe, expect, it } from "vitest";
import { type Capture, readCaptures, toRecord, toSpan } from "../helpers/captures.ts";
import {
  exportRecordWithoutContent,
  exportSpanWithoutContent,
  findContent,
} from "../helpers/content-none.ts";

const captures = readCaptures(new URL("../fixtures/dialects/captures/", import.meta.url));

/** Questions, answers, arguments and results; neither names of tools nor the status of a failed call. */
function toContent({ meta }: Capture): unknown {
  return meta.expected?.events.flatMap(([kind, first, second]) => {
    if (kind === "error") return [];
    return kind.startsWith("tool_") ? [second] : [first];
  });
}

describe("what real producers write", () => {
  it.each(captures)("leaves without content where the policy says none: $name", ({ capture }) => {
    const content = toContent(capture);
    for (const span of capture.spans.map(toSpan)) {
      expect(findContent(exportSpanWithoutContent(span), content), span.name).toEqual([]);
    }
    for (const record of capture.logs.map(toRecord)) {
      expect(findContent(exportRecordWithoutContent(record), content)).toEqual([]);
    }
  });

  it("has content otherwise", () => {
    const withContent = captures.filter(({ capture }) =>
      [...capture.spans, ...capture.logs].some(
        (item) => findContent(item, toContent(capture)).length > 0,
      ),
    );
    expect(withContent.length).toBeGreaterThan(captures.length / 2);
  });
});
