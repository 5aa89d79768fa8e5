import { pieceText } from "../chat/calls.ts";
import type { Item } from "./event.ts";

interface Call {
  readonly places: Set<number>;
  readonly itemIds: Set<string>;
  callId: string;
  name: string;
  arguments: string;
  /** Its finished item has come. */
  isDone: boolean;
}

/** How an event names the call that it is about. */
interface Reference {
  /** `output_index` */
  readonly place: number | undefined;
  readonly callId?: string | undefined;
  readonly itemId?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Puts calls together. Proxies send another item id with every event, so that a call is found by
 * its place (`output_index`), then by its `call_id`, then by its item's id; an event with none of
 * these that is known is about the newest open call. Two with one `call_id` are one. Some servers
 * give every item the same place: a call that begins with another `call_id` is another one, as is one
 * of another tool. The last word is the finished response's, then the finished item's.
 */
export class ItemCalls {
  #calls: Call[] = [];

  /** An item that begins, or is finished. Only calls are recorded. */
  item(item: Item, place: number | undefined, at: "begins" | "done"): void {
    if (item.type !== "function_call") return;
    const reference = referenceTo(item, place);
    const call = this.#find(reference, at) ?? this.#begin();
    learn(call, item, reference);
    if (at === "done") call.isDone = true;
  }

  delta(reference: Reference, piece: string): void {
    this.#open(reference).arguments += piece;
  }

  done(reference: Reference, whole: unknown): void {
    const text = pieceText(whole);
    if (text !== "") this.#open(reference).arguments = text;
  }

  /** The finished response's items: where it lists calls, there are no others. */
  finish(output: readonly (Item | null | undefined)[]): void {
    const listed: Call[] = [];
    for (const [place, item] of output.entries()) {
      if (item?.type !== "function_call") continue;
      const reference = referenceTo(item, place);
      const call = this.#find(reference, "listed") ?? this.#begin();
      learn(call, item, reference);
      if (!listed.includes(call)) listed.push(call);
    }
    if (listed.length > 0) this.#calls = listed;
    else if (this.#calls.every(({ places }) => places.size > 0))
      this.#calls = this.#calls.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  /** Calls without a name are ignored. */
  calls(): { id: string; name: string; arguments: string }[] {
    return this.#calls
      .filter(({ name }) => name !== "")
      .map(({ callId, name, arguments: given }) => ({
        id: callId,
        name,
        arguments: given.trim() === "" ? "{}" : given,
      }));
  }

  #open(reference: Reference): Call {
    const call = this.#find(reference, "open") ?? this.#begin();
    note(call, reference);
    return call;
  }

  #find(
    { place, callId, itemId, name }: Reference,
    at: "begins" | "open" | "done" | "listed",
  ): Call | undefined {
    const calls = this.#calls.filter((call) => !name || !call.name || call.name === name);
    const known = callId ? calls.findLast((call) => call.callId === callId) : undefined;
    if (known) return known;
    const here = calls.filter((call) => place !== undefined && call.places.has(place));
    const among =
      here.length > 0
        ? here
        : calls.filter(({ places }) => place === undefined || places.size === 0);
    const isOther = (call: Call): boolean =>
      (at === "begins" && call.isDone) ||
      (at !== "listed" &&
        Boolean(callId && call.callId) &&
        (at === "begins" || call.isDone || here.length === 0));
    const candidates = among.filter((call) => !isOther(call));
    const sameItem = itemId ? candidates.findLast(({ itemIds }) => itemIds.has(itemId)) : undefined;
    if (sameItem || here.length > 0) return sameItem ?? candidates.at(-1);
    if (at === "begins" || at === "listed") return undefined;
    return candidates.findLast(({ isDone }) => !isDone);
  }

  #begin(): Call {
    const call: Call = {
      places: new Set(),
      itemIds: new Set(),
      callId: "",
      name: "",
      arguments: "",
      isDone: false,
    };
    this.#calls.push(call);
    return call;
  }
}

const referenceTo = (item: Item, place: number | undefined): Reference => ({
  place,
  callId: item.call_id ?? undefined,
  itemId: item.id ?? undefined,
  name: item.name ?? undefined,
});

function learn(call: Call, item: Item, reference: Reference): void {
  note(call, reference);
  call.callId = item.call_id || call.callId;
  call.name = item.name || call.name;
  const whole = pieceText(item.arguments);
  if (whole !== "") call.arguments = whole;
}

function note(call: Call, { place, itemId }: Reference): void {
  if (place !== undefined) call.places.add(place);
  if (itemId) call.itemIds.add(itemId);
}

const placeOf = ({ places }: Call): number => Math.min(...places);
