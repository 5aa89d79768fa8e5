import { html, type Html } from "./html.ts";
import type { PartKind, Timeline } from "./timeline.ts";

/** Units of the picture: its width, the height of a row, and the least that is seen of a part. */
const width = 1_000;
const rowHeight = 14;
const leastWidth = 4;

/** The parts of an answer, each in a row of its own, from left to right in time. Pure. */
export function timelineSvg({ parts, fromMs, toMs }: Timeline, label: string): Html {
  const height = parts.length * rowHeight;
  const at = (ms: number): number => ((ms - fromMs) / (toMs - fromMs)) * width;
  return html`<svg
    class="timeline"
    viewBox="0 0 ${width} ${height}"
    height="${height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${parts.map((part, row) => {
      const wide = Math.max(leastWidth, at(part.toMs) - at(part.fromMs));
      const left = Math.min(at(part.fromMs), width - wide);
      return html`<rect
        class="part-${part.kind}"
        x="${left.toFixed(1)}"
        y="${row * rowHeight + 2}"
        width="${wide.toFixed(1)}"
        height="${rowHeight - 4}"
      />`;
    })}
  </svg>`;
}

/** The colour of a kind, for the row that explains it. Pure. */
export const swatch = (kind: PartKind): Html =>
  html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
    <rect class="part-${kind}" width="10" height="10" rx="2" />
  </svg>`;
