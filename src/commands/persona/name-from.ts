import { maxPersonaName } from "../../core/persona.ts";

/** Characters of a name that is made of a longer text. */
const maxMadeLength = 24;
const maxMadeWords = 2;
/** Words that say nothing about what a persona is for. */
const fillers = new Set(
  "a an the to for of my me i you your it is be help helps with and that who which please".split(
    " ",
  ),
);

/** A text as a name is written: `My Chef!` is `my-chef`. Empty: nothing of it can be. Pure. */
export const nameIn = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/-[-\p{M}]*/gu, "-")
    .replaceAll(/^[-\p{M}]+|-+$/gu, "")
    .slice(0, maxPersonaName)
    // Half of a character that the limit has cut, too.
    .replace(/-*[\uD800-\uDBFF]?$/, "");

/** A name for what a persona is for that none of `taken` is. Pure. */
export function nameFrom(purpose: string, taken: ReadonlySet<string>): string {
  const words = nameIn(purpose.slice(0, 200).toWellFormed()).split("-");
  const telling = words.filter((word) => !fillers.has(word));
  const made = (telling.length === 0 ? words : telling).slice(0, maxMadeWords).join("-");
  const short = nameIn(made.slice(0, maxMadeLength).toWellFormed());
  const name = short === "" ? "persona" : short;
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}
