import { html, type Html } from "./html.ts";

/** In the chart's own unit; the page stretches it to its width. */
const width = 720;
const height = 130;

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value with its unit. */
  readonly text: string;
}

/**
 * Bars, the first at the left, with a line at the largest. Its figures have to stand next to it,
 * for those who can't see it. Pure.
 * @param label what it shows, in a sentence.
 */
export function barChart({
  label,
  bars,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
}): Html {
  const most = bars.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
  const room = width / Math.max(1, bars.length);
  return html`<figure class="chart">
    <span>${most?.text}</span>
    <svg
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${label}"
    >
      ${bars.map((bar, index) => {
        const size = shareOf(sizeOf(bar), most === undefined ? 0 : sizeOf(most)) * height;
        // What isn't zero can be seen.
        const high = size === 0 ? 0 : Math.max(2, size);
        return html`<rect
          x="${shown((index + 0.15) * room)}"
          y="${shown(height - high)}"
          width="${shown(room * 0.7)}"
          height="${shown(high)}"
          ><title>${bar.name}: ${bar.text}</title></rect
        >`;
      })}
    </svg>
    <span>${bars[0]?.name}</span> <span>${bars.at(-1)?.name}</span>
  </figure>`;
}

const meterWidth = 100;

/** How much of a limit is used, with the limit marked; the text next to it says the same. Pure. */
export function meter({ used, limit }: { readonly used: number; readonly limit: number }): Html {
  const [spent, most] = [sizeOf({ value: used }), sizeOf({ value: limit })];
  const whole = Math.max(spent, most);
  const mark = Math.min(shareOf(most, whole) * meterWidth, meterWidth - 2);
  const state = spent >= most ? "over" : spent >= most * 0.75 ? "near" : "fine";
  return html`<svg class="meter ${state}" viewBox="0 0 ${meterWidth} 10" aria-hidden="true">
    <rect class="track" x="0" y="2" width="${meterWidth}" height="6" rx="3"></rect>
    <rect
      class="used"
      x="0"
      y="2"
      width="${shown(shareOf(spent, whole) * meterWidth)}"
      height="6"
      rx="3"
    ></rect>
    <rect class="mark" x="${shown(mark)}" y="0" width="2" height="10"></rect>
  </svg>`;
}

/** What can be drawn: finite, and not below zero. */
const sizeOf = ({ value }: { readonly value: number }): number =>
  Number.isFinite(value) ? Math.max(0, value) : value === Infinity ? Number.MAX_VALUE : 0;

/** Between 0 and 1. */
const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

const shown = (length: number): number => Math.round(length * 10) / 10;
