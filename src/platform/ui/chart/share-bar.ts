import { html } from "htm/preact";
import type { VNode } from "preact";
import type { Share } from "../../quality/estimates.ts";

const WIDTH = 120;
const HEIGHT = 12;
const MIDDLE = HEIGHT / 2;

/** Draws a share as a bar with its interval as a line; the row that it stands in has the numbers. */
export function ShareBar({ share }: { share: Share | null }): VNode | null {
  if (!share) return null;
  const { estimate, low, high } = share;
  return html`<svg
    class="share"
    width=${WIDTH}
    height=${HEIGHT}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    aria-hidden="true"
  >
    <rect class="track" width=${WIDTH} height=${HEIGHT} rx="2" />
    <rect class="bar" width=${estimate * WIDTH} height=${HEIGHT} rx="2" />
    <line class="interval" x1=${low * WIDTH} x2=${high * WIDTH} y1=${MIDDLE} y2=${MIDDLE} />
  </svg>`;
}
