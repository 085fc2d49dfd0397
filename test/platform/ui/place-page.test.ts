import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findOrder, placePage } from "../../../src/platform/ui/conversation/place-page.ts";
import type { ConversationRow } from "../../../src/platform/store/conversation-store.ts";

function createRow(seq: number, changes: Partial<ConversationRow> = {}): ConversationRow {
  return {
    seq,
    key: `key-${seq}`,
    organizationId: "bank",
    agentId: "agent",
    conversationId: `conversation-${seq}`,
    title: null,
    eventCount: 1,
    findingCount: 0,
    maxSeverity: "none",
    maxRiskScore: null,
    requiresReview: false,
    startedAt: seq,
    lastAt: seq,
    agentName: null,
    appearances: [],
    ...changes,
  };
}

const byTime = findOrder("");
const toRows = (seqs: readonly number[]): ConversationRow[] => seqs.map((seq) => createRow(seq));
const toSeqs = (rows: readonly ConversationRow[]): number[] => rows.map(({ seq }) => seq);
const place = (rows: readonly number[], loaded: readonly number[], next: string | null = "next") =>
  toSeqs(placePage(toRows(rows), { conversations: toRows(loaded), next }, byTime));

describe("placePage", () => {
  it("keeps the rows that newer ones have moved off the newest page", () => {
    expect(place([5, 4, 3, 2, 1], [7, 6, 5])).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(place([5, 4, 3, 2, 1], [9, 8, 7])).toEqual([9, 8, 7, 5, 4, 3, 2, 1]);
  });

  it("leaves out what would stand on the page and does not", () => {
    expect(place([5, 4, 3, 2, 1], [5, 3, 2])).toEqual([5, 3, 2, 1]);
    expect(place([5, 4, 3, 2, 1], [5, 3], null)).toEqual([5, 3]);
    expect(place([5, 4], [], null)).toEqual([]);
  });

  it("keeps all where it was not looked far enough for any row", () => {
    expect(place([5, 4], [])).toEqual([5, 4]);
  });

  it("reads an older page again, and adds one", () => {
    const rows = toRows([9, 8, 7, 6, 5, 4, 3]);
    const page = { conversations: toRows([6, 4]), next: "next" };
    expect(toSeqs(placePage(rows, page, byTime, rows[2]))).toEqual([9, 8, 7, 6, 4, 3]);
    const older = { conversations: toRows([2, 1]), next: null };
    expect(toSeqs(placePage(rows, older, byTime, rows.at(-1)))).toEqual([
      9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
  });

  it("has a row at its new place alone, and the former object where nothing of it is new", () => {
    const rows = toRows([3, 2, 1]);
    const conversations = [createRow(1, { lastAt: 9, eventCount: 2 }), createRow(3)];
    const placed = placePage(rows, { conversations, next: "next" }, byTime);
    expect(toSeqs(placed)).toEqual([1, 3, 2]);
    expect(placed[0]?.eventCount).toBe(2);
    expect(placed[1]).toBe(rows[0]);
  });

  it("follows the platform's order by risk and by age", () => {
    const risky = [createRow(1, { maxRiskScore: 90 }), createRow(2, { maxRiskScore: 5 })];
    const plain = createRow(9);
    const page = { conversations: [createRow(3, { maxRiskScore: 50 })], next: "next" };
    expect(toSeqs(placePage([...risky, plain], page, findOrder("order=risk")))).toEqual([3, 2, 9]);
    const aged = toRows([1, 2, 3]);
    const first = { conversations: toRows([2]), next: "next" };
    expect(toSeqs(placePage(aged, first, findOrder("order=age")))).toEqual([2, 3]);
  });

  it("comes to what the platform has when each page was read again, whatever has changed", () => {
    const some = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 7 }), (before, now, size) => {
        const descending = now.toSorted((left, right) => right - left);
        let rows = toRows(before.toSorted((left, right) => right - left));
        for (let start = 0; start === 0 || start < descending.length; start += size) {
          const conversations = toRows(descending.slice(start, start + size));
          const next = start + size < descending.length ? "next" : null;
          const after = start === 0 ? undefined : createRow(descending[start - 1] ?? 0);
          rows = placePage(rows, { conversations, next }, byTime, after);
          expect(toSeqs(rows)).toEqual(toSeqs(rows).toSorted((left, right) => right - left));
        }
        expect(toSeqs(rows)).toEqual(descending);
      }),
    );
  });
});
