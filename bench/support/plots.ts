import { isCompared, labelOf, shownNumber } from "./figure-labels.ts";
import type { Shown } from "./question.ts";
import type { Figure } from "./results.ts";
import { ratioTo, summary, type Spread } from "./tables.ts";

/** Beyond this ratio of the greatest to the least a linear bar says nothing of the small ones. */
const linearUpTo = 20;
const width = 760;
const bars = { from: 215, to: 560 } as const;
const rowHeight = 24;
const panelHead = 46;
const panelFoot = 14;

/**
 * Colours that are told apart on white and on black; a viewer without a preference gets the light
 * ones.
 */
const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.quiet { fill: #59636e; font-size: 11px }
.grid { stroke: #d1d9e0 }
.whisker { stroke: #1f2328; fill: none }
.bar { fill: #8fa7c0 }
.own { fill: #4f8ff0 }
.base { fill: #c4b99f }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.quiet { fill: #9198a1 }
.grid { stroke: #3d444d }
.whisker { stroke: #e6edf3 }
.bar { fill: #5b738c }
.own { fill: #3f7be0 }
.base { fill: #7d745e }
}`;

// oxlint-disable-next-line no-control-regex -- those are what is looked for
const unsayable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** For text and attributes; what XML 1.0 has no way to say becomes U+FFFD. Pure. */
const escapeXml = (text: string): string =>
  text
    .replaceAll(unsayable, "\uFFFD")
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");

interface Scale {
  readonly isLogarithmic: boolean;
  readonly ticks: readonly number[];
  at(value: number): number;
}

const across = (share: number): number =>
  bars.from + (bars.to - bars.from) * Math.min(1, Math.max(0, share));

/** Less than this of any unit is nothing. */
const negligible = 1e-6;

/** At most so many, so that their figures don't overlap. */
const maxTicks = 7;

function powersOfTen(first: number, last: number): readonly number[] {
  const every = Math.ceil((last - first + 1) / maxTicks);
  return Array.from(
    { length: Math.floor((last - first) / every) + 1 },
    (_, index) => 10 ** (first + index * every),
  );
}

/** Bars begin at zero, or on a logarithmic scale at the power of ten below the least. Pure. */
function scaleOf(spreads: readonly Spread[]): Scale {
  const all = spreads.flatMap(({ least, greatest }) => [least, greatest]);
  const positive = all.filter((value) => value >= negligible);
  const greatest = Math.max(...positive, negligible);
  const least = Math.min(...positive, greatest);
  if (greatest / least > linearUpTo) {
    const first = Math.floor(Math.log10(least) - 1e-9);
    const last = Math.log10(greatest);
    return {
      isLogarithmic: true,
      ticks: powersOfTen(first, Math.floor(last)),
      at: (value) =>
        value < negligible ? bars.from : across((Math.log10(value) - first) / (last - first)),
    };
  }
  const step = niceStep(greatest / 4);
  return {
    isLogarithmic: false,
    ticks:
      positive.length === 0
        ? [0]
        : Array.from(
            { length: Math.floor(greatest / step + 1e-9) + 1 },
            (_, index) => index * step,
          ),
    at: (value) => across(value / greatest),
  };
}

/** 1, 2 or 5 times a power of ten, no less than asked. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}

const n = (value: number): string => String(Math.round(value * 10) / 10);
const text = (at: { readonly x: number; readonly y: number }, content: string, more = ""): string =>
  `<text x="${n(at.x)}" y="${n(at.y)}"${more}>${escapeXml(content)}</text>`;

function classOf(system: string, base: string): string {
  if (system === base) return "base";
  return system.startsWith("Parley") || /^\d+ workers?$/.test(system) ? "own" : "bar";
}

/** One system: its name, its bar, its least and greatest, and its median in figures. */
function row(
  [system, spread]: readonly [string, Spread],
  {
    y,
    scale,
    unit,
    base,
  }: {
    readonly y: number;
    readonly scale: Scale;
    readonly unit: string;
    readonly base: readonly [string, Spread | undefined];
  },
): string {
  const middle = y + rowHeight / 2;
  const [least, median, greatest] = [spread.least, spread.median, spread.greatest].map((value) =>
    scale.at(value),
  ) as [number, number, number];
  const [baseName, baseSpread] = base;
  const ratio = system === baseName ? "" : ratioTo(spread, baseSpread);
  const figure = `${shownNumber(spread.median)} ${unit === "/s" ? "" : unit}`;
  return [
    text({ x: bars.from - 8, y: middle + 4 }, system, ' text-anchor="end"'),
    `<rect class="${classOf(system, baseName)}" x="${bars.from}" y="${n(y + 4)}" width="${n(median - bars.from)}" height="${rowHeight - 8}"/>`,
    spread.least === spread.greatest
      ? ""
      : `<path class="whisker" d="M${n(least)} ${n(middle)}H${n(greatest)}M${n(least)} ${n(middle - 4)}v8M${n(greatest)} ${n(middle - 4)}v8"/>`,
    text({ x: Math.max(median, greatest) + 7, y: middle + 4 }, `${figure.trim()} ${ratio}`.trim()),
  ].join("");
}

function panel(
  figure: string,
  rows: readonly (readonly [string, Spread])[],
  { top, base }: { readonly top: number; readonly base: string },
): string {
  const { label, unit } = labelOf(figure);
  const scale = scaleOf(rows.map(([, spread]) => spread));
  const first = top + panelHead;
  const bottom = first + rows.length * rowHeight;
  const notes = [unit === "/s" ? "" : unit, scale.isLogarithmic ? "logarithmic" : ""].filter(
    (note) => note !== "",
  );
  const title = notes.length === 0 ? label : `${label} (${notes.join(", ")})`;
  return [
    text({ x: 8, y: top + 18 }, title, ' class="title"'),
    ...scale.ticks.map((tick) => {
      const x = scale.at(tick);
      return (
        `<path class="grid" d="M${n(x)} ${n(first)}V${n(bottom)}"/>` +
        text({ x, y: first - 5 }, shownNumber(tick), ' class="quiet" text-anchor="middle"')
      );
    }),
    ...rows.map((each, index) =>
      row(each, {
        y: first + index * rowHeight,
        scale,
        unit,
        base: [
          base,
          isCompared(figure) ? rows.find(([system]) => system === base)?.[1] : undefined,
        ],
      }),
    ),
  ].join("\n");
}

/**
 * A question's plot as an SVG document: for each figure a panel of bars, median with least and
 * greatest, logarithmic where values lie far apart. Pure. Undefined where none of its figures is
 * known.
 */
export function plotOf(
  figures: readonly Figure[],
  { name, base, plots }: Shown,
): string | undefined {
  const rows = summary(figures, name);
  const panels: string[] = [];
  let top = 0;
  for (const figure of plots) {
    const shown = [...rows].flatMap(([system, values]) => {
      const spread = values[figure];
      return spread === undefined ? [] : [[system, spread] as const];
    });
    if (shown.length === 0) continue;
    panels.push(panel(figure, shown, { top, base }));
    top += panelHead + shown.length * rowHeight + panelFoot;
  }
  if (panels.length === 0) return undefined;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}" role="img">`,
    `<title>${escapeXml(name)}</title>`,
    `<style>${style}</style>`,
    ...panels,
    "</svg>",
    "",
  ].join("\n");
}
