import { isBlank } from "../../../text/blank.ts";
import type { Chunk } from "../../../core/ports.ts";
import { findCut } from "../../markdown/cut.ts";
import { maxContentUnits } from "./limits.ts";
import type { Block } from "./runs.ts";
import { TextFlow } from "./text-flow.ts";

/** Less room than this at a chunk's end is left empty rather than filled with a scrap. */
const leastUnits = maxContentUnits / 4;

/**
 * Blocks to chunks within the limit. Text is cut at a paragraph, a line, a word, else between
 * characters; code at a line where it can be. Every chunk closes its marks and its fence, and the
 * next opens them again. Only white space is dropped, and only at cuts.
 */
export function pack(blocks: readonly Block[]): Chunk[] {
  const packer = new Packer();
  for (const block of blocks)
    if (block.type === "text") packer.addText(new TextFlow(block.runs));
    else packer.addCode(block.language, block.text);
  return packer.finish();
}

class Packer {
  readonly #chunks: Chunk[] = [];
  #current = "";

  addText(flow: TextFlow): void {
    while (!flow.isAtEnd) {
      const room = this.#room();
      const end = flow.fit(room);
      if (end >= flow.end) return this.#append(flow.take(flow.end));
      if (room < leastUnits) {
        this.#flush();
        continue;
      }
      const cut = flow.cut(end);
      // Don't split a word that would fit into the next chunk.
      if (this.#current !== "" && !flow.isSpaceAt(cut)) {
        this.#flush();
        continue;
      }
      this.#append(flow.take(cut));
      this.#flush();
    }
  }

  addCode(language: string, text: string): void {
    const open = `\`\`\`${language}\n`;
    const close = "\n```";
    const overhead = open.length + close.length;
    let rest = defused(text);
    while (!isBlank(rest)) {
      const room = this.#room() - overhead;
      if (rest.length <= room) return this.#append(open + rest + close);
      const fitsAlone = rest.length + overhead <= maxContentUnits;
      if (this.#current !== "" && (fitsAlone || room < leastUnits)) {
        this.#flush();
        continue;
      }
      const cut = codeCut(rest, room);
      const piece = rest.slice(0, cut);
      if (!isBlank(piece)) this.#append(open + piece + close);
      this.#flush();
      rest = rest.slice(rest[cut] === "\n" ? cut + 1 : cut);
    }
  }

  finish(): Chunk[] {
    this.#flush();
    return this.#chunks;
  }

  /** Units left in the chunk, the line break before the next block taken off. */
  #room(): number {
    return maxContentUnits - this.#current.length - (this.#current ? 1 : 0);
  }

  #append(text: string): void {
    if (text !== "") this.#current = this.#current ? `${this.#current}\n${text}` : text;
  }

  #flush(): void {
    if (!isBlank(this.#current)) this.#chunks.push({ text: this.#current });
    this.#current = "";
  }
}

/** At the last line that fits, unless that leaves almost nothing. */
function codeCut(text: string, maxUnits: number): number {
  const line = text.lastIndexOf("\n", maxUnits);
  return line >= maxUnits / 4 ? line : findCut(text, { from: 0, maxUnits });
}

/** Three backticks within code would end it: a zero-width space keeps them apart. */
const defused = (code: string): string => code.replaceAll(/`(?=``)/g, "`\u200B");
