import type { Item } from "./event.ts";

/**
 * The text of a response: each message is a separate paragraph. The place (`output_index`) says
 * which message a piece belongs to; without one, a message ends where another item begins or this
 * one is finished. Item ids don't say it: some servers send another one with every event.
 */
export class Paragraphs {
  #said = "";
  #place: number | undefined;
  /** The message item that has begun or ended since the last text. */
  #edge: { readonly place: number | undefined } | undefined;

  edge(item: Item, place: number | undefined): void {
    if (item.type === "message") this.#edge = { place };
  }

  /** The piece with the break before it, if any. */
  piece(text: string, place: number | undefined): string {
    if (text === "") return "";
    const isAnother = this.#said !== "" && this.#isAnother(place);
    this.#place = place;
    this.#edge = undefined;
    const piece = isAnother ? `\n\n${text}` : text;
    this.#said += piece;
    return piece;
  }

  /**
   * The text by the finished response, unless all of it has been said so. A response that repeats
   * less than was said is no better.
   */
  finish(output: readonly (Item | null | undefined)[]): { text: string; replaces: boolean } {
    const text = output.map(textOf).filter(Boolean).join("\n\n");
    const isBetter = text !== this.#said && lengthOf(text) >= lengthOf(this.#said);
    return isBetter ? { text, replaces: this.#said !== "" } : { text: "", replaces: false };
  }

  #isAnother(place: number | undefined): boolean {
    const edge = this.#edge;
    const isAtEdge =
      edge !== undefined &&
      (edge.place === place || edge.place === undefined || place === undefined);
    const hasMoved = place !== undefined && this.#place !== undefined && place !== this.#place;
    return isAtEdge || hasMoved;
  }
}

function textOf(item: Item | null | undefined): string {
  if (item?.type !== "message") return "";
  return (item.content ?? []).map((part) => part.text ?? part.refusal ?? "").join("");
}

const lengthOf = (text: string): number => text.replaceAll(/\s/g, "").length;
