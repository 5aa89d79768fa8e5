import type { SendOptions } from "../core/ports.ts";
import { decorations, type Decoration } from "../core/refusal.ts";
import type { Ledger } from "../store/turns/outbox.ts";

/**
 * What a platform has refused of an entry, in its ledger's field `without`: `reply file blocks:2`.
 * Formatting is left out of one message (`:2`, the third), everything else also of all that follow.
 * It is written before the words are sent without it, so that a crash in between repeats neither.
 */
const ofOneMessage: ReadonlySet<Decoration> = new Set(["blocks", "markup"]);

const nameOf = (decoration: Decoration, index: number): string =>
  ofOneMessage.has(decoration) ? `${decoration}:${index}` : decoration;

const namesIn = (ledger: Ledger): readonly string[] => (ledger.get("without") ?? "").split(" ");

/** What message `index` is sent without. */
export function droppedOf(ledger: Ledger, index: number): ReadonlySet<Decoration> {
  const names = new Set(namesIn(ledger));
  return new Set(decorations.filter((each) => names.has(nameOf(each, index))));
}

/** The same for a request. */
export function leftOut(ledger: Ledger, index: number): Pick<SendOptions, "without"> {
  const without = droppedOf(ledger, index);
  return without.size === 0 ? {} : { without };
}

/** The field's new value. Undefined: it had been left out already. */
export function withDropped(
  ledger: Ledger,
  index: number,
  decoration: Decoration,
): { readonly without: string } | undefined {
  const name = nameOf(decoration, index);
  const names = namesIn(ledger).filter((each) => each !== "");
  return names.includes(name) ? undefined : { without: [...names, name].join(" ") };
}
