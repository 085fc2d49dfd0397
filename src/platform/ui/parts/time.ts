import { html } from "htm/preact";
import type { VNode } from "preact";
import { formatLocal, formatTime } from "./format.ts";

/** Shows a time of day; in full, and in the reader's own time, where it is pointed at. */
export function Time({ millis }: { millis: number }): VNode {
  return html`<time title=${formatLocal(millis)}>${formatTime(millis)}</time>`;
}
