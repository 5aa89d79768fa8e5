import { pieceText } from "../chat/calls.ts";
import type { Item } from "./event.ts";

interface Call {
  readonly key: string;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Puts calls together, in the order in which they began; the last word on a call is its finished
 * item.
 */
export class ItemCalls {
  readonly #calls: Call[] = [];

  /**
   * An item that begins, is finished, or is part of the finished response. Only
   * calls are recorded.
   */
  item(item: Item, place: string): void {
    if (item.type !== "function_call") return;
    const call = this.#find(item.id ?? item.call_id ?? place);
    call.id = item.call_id ?? call.id;
    call.name = item.name ?? call.name;
    const whole = pieceText(item.arguments);
    if (whole !== "") call.arguments = whole;
  }

  delta(key: string, piece: string): void {
    this.#find(key).arguments += piece;
  }

  done(key: string, whole: unknown): void {
    const text = pieceText(whole);
    if (text !== "") this.#find(key).arguments = text;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Calls without a name are ignored. `{}` means no arguments. */
  calls(): { id: string; name: string; arguments: string }[] {
    return this.#calls
      .filter(({ name }) => name !== "")
      .map(({ id, name, arguments: given }) => ({
        id,
        name,
        arguments: given.trim() === "" ? "{}" : given,
      }));
  }

  #find(key: string): Call {
    const found = this.#calls.find((call) => call.key === key);
    if (found) return found;
    const call = { key, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}
