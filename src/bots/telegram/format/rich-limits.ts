import type { InputRichBlock } from "grammy/types";

/** A block as this bot sends it: nothing is uploaded with it. */
export type Block = InputRichBlock;

/** https://core.telegram.org/bots/api#inputrichmessage */
const maxUnits = 32_768;
const maxBlocks = 500;
const maxLevels = 16;
const maxColumns = 20;

interface Size {
  units: number;
  blocks: number;
  levels: number;
  columns: number;
}

/** Whether Telegram takes them as one message. Pure. */
export function fitsRich(blocks: readonly Block[]): boolean {
  const size: Size = { units: 0, blocks: 0, levels: 0, columns: 0 };
  measure(blocks, size, 0);
  return (
    size.units <= maxUnits &&
    size.blocks > 0 &&
    size.blocks <= maxBlocks &&
    size.levels <= maxLevels &&
    size.columns <= maxColumns
  );
}

/** The nodes that count as blocks: blocks, items and rows. */
const counted: ReadonlySet<string> = new Set(["blocks", "items", "cells"]);
/** Keys whose texts are no part of what is read. */
const unread: ReadonlySet<string> = new Set(["type", "url", "language", "align", "valign"]);

/** Generous: what nests at all counts as a level, whatever it is. */
function measure(value: unknown, size: Size, level: number): void {
  size.levels = Math.max(size.levels, level);
  if (typeof value === "string") size.units += value.length;
  else if (Array.isArray(value)) {
    for (const each of value) measure(each, size, level);
  } else if (typeof value === "object" && value !== null) {
    if (level === 0) size.blocks += 1;
    for (const [key, inner] of Object.entries(value)) {
      if (unread.has(key)) continue;
      if (counted.has(key) && Array.isArray(inner)) size.blocks += inner.length;
      if (key === "cells") size.columns = Math.max(size.columns, widest(inner));
      measure(inner, size, level + 1);
    }
  }
}

const widest = (rows: unknown): number =>
  Array.isArray(rows)
    ? Math.max(0, ...rows.map((row) => (Array.isArray(row) ? row.length : 0)))
    : 0;
