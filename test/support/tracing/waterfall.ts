import { escaped } from "../pictures/page.ts";
import type { ReceivedSpan } from "./otlp-decoder.ts";

const width = 960;
const left = 372;
const right = 112;
const rowHeight = 26;
const top = 74;

/** Light, and what replaces it in the dark. */
const css = `
  text { font: 12.5px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328; }
  .faint { fill: #59636e; } .small { font-size: 11.5px; } .title { font-size: 15px; font-weight: 600; }
  .page { fill: #ffffff; } .stripe { fill: #f6f8fa; } .grid { stroke: #d1d9e0; }
  .link { stroke: #59636e; fill: none; stroke-dasharray: 3 3; } .arrow { fill: #59636e; }
  .platform { fill: #0969da; } .agent { fill: #8250df; } .model { fill: #1a7f37; } .tool { fill: #bc4c00; }
  .lost { fill-opacity: 0.25; stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 4 3; } .error { fill: #cf222e; }
  .wait { fill: #59636e; fill-opacity: 0.12; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .faint { fill: #9198a1; } .page { fill: #0d1117; } .stripe { fill: #151b23; }
    .grid { stroke: #3d444d; } .link { stroke: #9198a1; } .arrow { fill: #9198a1; } .platform { fill: #4493f8; }
    .agent { fill: #ab7df8; } .model { fill: #3fb950; } .tool { fill: #db6d28; } .lost { stroke: #f85149; }
    .error { fill: #f85149; } .wait { fill: #9198a1; fill-opacity: 0.15; }
  }`;

interface Row {
  readonly span: ReceivedSpan;
  readonly depth: number;
  readonly y: number;
}

/** One trace as an operator's tool shows it, as an SVG for light and dark pages. */
export function waterfall(spans: readonly ReceivedSpan[]): string {
  const rows = rowsOf(spans);
  const fromMs = Math.min(...spans.map((each) => each.startMs));
  const lastMs = Math.max(...spans.map((each) => each.endMs)) - fromMs;
  const toX = (ms: number): number => left + ((ms - fromMs) / lastMs) * (width - left - right);
  const bottom = top + rows.length * rowHeight;
  const height = bottom + 86;
  const drawn = [
    ...rows.filter((_, index) => index % 2 === 0).map(({ y }) => rect("stripe", 0, y, width)),
    ...gridOf(lastMs, (ms) => toX(fromMs + ms), bottom),
    ...waitOf(rows, toX, bottom),
    ...linksOf(rows, toX),
    ...rows.flatMap((row) => barOf(row, toX, fromMs + lastMs)),
    ...legendOf(bottom + 44),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="One trace of a turn with an approval and a lost worker">
<style>${css}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="page" width="${width}" height="${height}" rx="8"/>
<text class="title" x="16" y="28">One message, one trace: ${spans.length} spans of 3 processes, ${seconds(lastMs)}</text>
${drawn.join("\n")}
</svg>
`;
}

/** Below their parents, in the order in which they began. */
function rowsOf(spans: readonly ReceivedSpan[]): Row[] {
  const rows: Row[] = [];
  const visit = (parent: string | undefined, depth: number): void => {
    for (const span of spans.filter((each) => each.parentSpanId === parent)) {
      rows.push({ span, depth, y: top + rows.length * rowHeight });
      visit(span.spanId, depth + 1);
    }
  };
  visit(undefined, 0);
  return rows;
}

const rect = (kind: string, x: number, y: number, wide: number): string =>
  `<rect class="${kind}" x="${round(x)}" y="${y}" width="${round(wide)}" height="${rowHeight}"/>`;

const round = (value: number): number => Math.round(value * 10) / 10;

const seconds = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

function gridOf(lastMs: number, toX: (ms: number) => number, bottom: number): string[] {
  const stepMs = [500, 1_000, 2_000, 5_000].find((each) => lastMs / each <= 9) ?? 10_000;
  const lines: string[] = [];
  for (let ms = 0; ms <= lastMs; ms += stepMs) {
    const x = round(toX(ms));
    lines.push(
      `<line class="grid" x1="${x}" y1="${top - 6}" x2="${x}" y2="${bottom}"/><text class="faint small" x="${x}" y="${top - 12}" text-anchor="middle">${ms / 1_000} s</text>`,
    );
  }
  return lines;
}

/** The time in which no span is open: from the end of the session that asks to the decision. */
function waitOf(rows: readonly Row[], toX: (ms: number) => number, bottom: number): string[] {
  const asking = rows.find(({ span }) => span.attributes["parley.session.outcome"] === "waiting");
  const decided = rows.find(({ span }) => span.name.startsWith("decide"));
  if (asking === undefined || decided === undefined) return [];
  const from = toX(asking.span.endMs);
  const to = toX(decided.span.startMs);
  return [
    `<rect class="wait" x="${round(from)}" y="${top}" width="${round(to - from)}" height="${bottom - top}"/>`,
    `<text class="faint small" x="${round((from + to) / 2)}" y="${bottom + 14}" text-anchor="middle">a person decides</text>`,
  ];
}

function linksOf(rows: readonly Row[], toX: (ms: number) => number): string[] {
  return rows.flatMap(({ span, y }) =>
    span.links.flatMap(({ spanId }) => {
      const target = rows.find((row) => row.span.spanId === spanId);
      if (target === undefined) return [];
      const from = { x: toX(span.startMs), y: y + 8 };
      const to = { x: toX(target.span.endMs), y: target.y + rowHeight - 6 };
      return [
        `<path class="link" marker-end="url(#head)" d="M${round(from.x)} ${from.y} C${round(from.x)} ${from.y - 30} ${round(to.x)} ${to.y + 40} ${round(to.x)} ${to.y}"/>`,
      ];
    }),
  );
}

const kinds = [
  ["platform", "Telegram: receive, decide, send", /^(?:receive|decide|send)/],
  ["agent", "a worker's session", /^invoke_agent/],
  ["model", "model", /^chat/],
  ["tool", "tool", /^execute_tool/],
] as const;

function barOf({ span, depth, y }: Row, toX: (ms: number) => number, lastMs: number): string[] {
  const { name, attributes } = span;
  const kind = kinds.find(([, , pattern]) => pattern.test(name))?.[0] ?? "platform";
  const isLost = attributes["error.type"] === "worker_lost";
  const from = toX(span.startMs);
  const wide = Math.max(3, toX(span.endMs) - from);
  const took = seconds(span.endMs - span.startMs);
  const note = noteOf(span);
  const baseline = y + 17;
  const after = from + wide + 6;
  // Where there is no place after the bar its duration stands before it.
  const isLate = after > toX(lastMs) + right - 60;
  return [
    `<text x="${16 + depth * 16}" y="${baseline}"${isLost ? ' class="error"' : ""}>${escaped(name)}<tspan class="faint small" dx="7">${escaped(note)}</tspan></text>`,
    `<rect class="${kind}${isLost ? " lost" : ""}" x="${round(from)}" y="${y + 6}" width="${round(wide)}" height="14" rx="2"/>`,
    `<text class="faint small" x="${round(isLate ? from - 6 : after)}" y="${baseline}"${isLate ? ' text-anchor="end"' : ""}>${took}</text>`,
  ];
}

/** What tells spans of one name apart. */
function noteOf({ attributes }: ReceivedSpan): string {
  const outcome = attributes["parley.session.outcome"];
  if (outcome === "worker_lost") return "worker lost";
  if (outcome === "waiting") return "waits for a person";
  if (attributes["error.type"] === "worker_lost") return "cut off";
  const kind = attributes["parley.outbox.kind"];
  const note =
    outcome ??
    attributes["parley.approval.status"] ??
    { card: "the card", resolution: "card: approved", message: "the answer" }[String(kind)];
  return String(note ?? "");
}

function legendOf(y: number): string[] {
  let x = 16;
  const entries = [
    ...kinds.map(([kind, label]) => [kind, label] as const),
    ["agent lost", "lost with its worker, reported by the next"] as const,
  ];
  const drawn = entries.map(([kind, label]) => {
    const at = x;
    x += 40 + label.length * 6.4;
    return `<rect class="${kind}" x="${at}" y="${y - 11}" width="14" height="13" rx="2"/><text class="small" x="${at + 20}" y="${y}">${label}</text>`;
  });
  const below = y + 22;
  const arrow = `<path class="link" marker-end="url(#head)" d="M16 ${below - 4} h26"/><text class="small" x="50" y="${below}">link to the session before</text>`;
  return [...drawn, arrow];
}
