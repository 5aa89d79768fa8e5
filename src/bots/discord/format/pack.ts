import { isBlank } from "../../../core/blank.ts";
import type { Chunk } from "../../../core/ports.ts";
import { findCut } from "../../markdown/cut.ts";
import { maxContentUnits } from "./limits.ts";

/** What a message is made of. A `text` holds no fence; a `code` is its body without the fences. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly language: string; readonly text: string };

/** Less room than this at a chunk's end is left empty rather than filled with a scrap. */
const leastUnits = maxContentUnits / 4;

/**
 * Blocks to chunks within the limit. Text is cut at a paragraph, a line, a word, else between characters; code at a line
 * where it can be, and every chunk closes its fence and opens it again. Only white space is dropped, and only at cuts.
 */
export function pack(blocks: readonly Block[]): Chunk[] {
  const packer = new Packer();
  for (const block of blocks)
    if (block.type === "text") packer.addText(block.text);
    else packer.addCode(block.language, block.text);
  return packer.finish();
}

class Packer {
  readonly #chunks: Chunk[] = [];
  #current = "";

  addText(text: string): void {
    let rest = trimLines(text);
    while (!isBlank(rest)) {
      const room = this.#room();
      if (rest.length <= room) return this.#append(rest);
      if (room < leastUnits) {
        this.#flush();
        continue;
      }
      const cut = textCut(rest, room);
      // A word that would fit into a chunk of its own is not torn for the sake of this one.
      if (this.#current !== "" && !/\s/.test(rest[cut] ?? "")) {
        this.#flush();
        continue;
      }
      this.#append(rest.slice(0, cut).trimEnd());
      this.#flush();
      rest = trimLines(rest.slice(cut).replace(/^[^\S\n]+/, ""));
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
    this.#current = this.#current ? `${this.#current}\n${text}` : text;
  }

  #flush(): void {
    if (!isBlank(this.#current)) this.#chunks.push({ text: this.#current });
    this.#current = "";
  }
}

/** Never between a backslash and what it protects. */
function textCut(text: string, maxUnits: number): number {
  const cut = findCut(text, { from: 0, maxUnits });
  const slashes = /\\*$/.exec(text.slice(0, cut))?.[0].length ?? 0;
  return slashes % 2 === 1 && cut > 1 ? cut - 1 : cut;
}

/** At the last line that fits, unless that leaves almost nothing. */
function codeCut(text: string, maxUnits: number): number {
  const line = text.lastIndexOf("\n", maxUnits);
  return line >= maxUnits / 4 ? line : findCut(text, { from: 0, maxUnits });
}

/** Three backticks within code would end it: a zero-width space keeps them apart. */
const defused = (code: string): string =>
  code.replaceAll(/`(?=``)/g, "`\u200B");

/** Without blank lines at either end; the first line keeps its indentation. */
const trimLines = (text: string): string =>
  text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, "");
