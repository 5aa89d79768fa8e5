import type { Random } from "../chaos/storm/random.ts";
import { evilNumber, evilString } from "./evil.ts";

export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

type Slot = { readonly holder: Record<string, Json>; readonly key: string };

export interface Mutating {
  readonly random: Random;
  /**
   * Values that mean something to the code that reads them; put where a value of the same type
   * stood.
   */
  readonly words: readonly string[];
}

/**
 * A copy in which up to three places were changed: mostly to another value of the same type, which
 * gets past the first look. Pure but for the random numbers.
 */
export function mutated(base: Json, given: Mutating, most = 3): Json {
  const root = { root: structuredClone<Json>(base) };
  const { random } = given;
  for (let left = random.whole(0, most); left > 0; left -= 1) {
    const slots = slotsOf(root);
    if (slots.length > 0) change(random.pick(slots), slots, given);
  }
  return root.root;
}

/** Every place that holds a value, from the outside in. */
function slotsOf(root: { root: Json }): Slot[] {
  const found: Slot[] = [];
  const walk = (holder: Record<string, Json>): void => {
    for (const key of Object.keys(holder)) {
      found.push({ holder, key });
      const value = holder[key];
      if (typeof value === "object" && value !== null) walk(value as Record<string, Json>);
    }
  };
  walk(root);
  // The root as a whole is left alone.
  return found.slice(1);
}

function change({ holder, key }: Slot, slots: readonly Slot[], given: Mutating): void {
  const { random } = given;
  const dice = random.next();
  if (dice < 0.72) holder[key] = alike(holder[key] ?? null, given);
  else if (dice < 0.85) remove(holder, key);
  else if (dice < 0.91) {
    const other = random.pick(slots);
    holder[key] = structuredClone(other.holder[other.key] ?? null);
  } else if (dice < 0.96) grow(holder[key] ?? null, given);
  else holder[key] = anything(given);
}

function remove(holder: Record<string, Json>, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** Another value of the same type. */
function alike(value: Json, given: Mutating): Json {
  const { random, words } = given;
  switch (typeof value) {
    case "string":
      return random.chance(0.5) && words.length > 0
        ? random.pick(words)
        : evilString(random, value);
    case "number":
      return random.chance(0.3) ? numberIn(random, words, value) : evilNumber(random, value);
    case "boolean":
      return !value;
    default:
      grow(value, given);
      return value;
  }
}

function numberIn(random: Random, words: readonly string[], value: number): number {
  const numbers = words.map(Number).filter(Number.isSafeInteger);
  return numbers.length === 0 ? value + 1 : random.pick(numbers);
}

/** More elements, or a key that no one asked for. */
function grow(value: Json, given: Mutating): void {
  const { random } = given;
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const list = value as Json[];
    const again: Json = list.length > 0 ? random.pick(list) : anything(given);
    const times = random.chance(0.05) ? 300 : random.whole(1, 3);
    for (let left = times; left > 0; left -= 1) list.push(structuredClone(again));
    return;
  }
  const key = random.pick([...oddKeys, evilString(random, "key")]);
  // As JSON.parse does it: a property of its own, whatever its name.
  Object.defineProperty(value, key, {
    value: anything(given),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

const oddKeys = ["__proto__", "constructor", "toString", "v", "id", "length"];

function anything(given: Mutating): Json {
  const { random } = given;
  switch (random.whole(0, 6)) {
    case 0:
      return null;
    case 1:
      return evilNumber(random, 1);
    case 2:
      return evilString(random, "word");
    case 3:
      return random.chance(0.5);
    case 4:
      return [];
    case 5:
      return deep(random.whole(1, random.chance(0.1) ? 400 : 6));
    default:
      return { [evilString(random, "key")]: evilString(random, "value") };
  }
}

function deep(levels: number): Json {
  let value: Json = "bottom";
  for (let left = levels; left > 0; left -= 1) value = left % 2 === 0 ? [value] : { deeper: value };
  return value;
}

/** The text of a value, now and then damaged so that it is none any more. */
export function asText(value: Json, random: Random): string {
  const text = JSON.stringify(value);
  if (!random.chance(0.02)) return text;
  const at = random.whole(0, text.length);
  return random.chance(0.5)
    ? text.slice(0, at)
    : text.slice(0, at) + evilString(random, "x") + text.slice(at + 1);
}
