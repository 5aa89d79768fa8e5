import { formData, type AnswerButton } from "../../core/inbound.ts";
import { personaRefText, type PersonaRef } from "../../core/persona.ts";
import type { Locale } from "../../locales/locale.ts";
import type { StoredPersona } from "../../store/personas/personas.ts";
import { lookalikes, spelledOut } from "../../text/lookalikes.ts";
import { visible } from "../../text/visible-text.ts";
import { commandButtons, typed, type CommandCall, type CommandDeps } from "../command.ts";
import { availablePersonas, type SaveRefusal } from "../personas.ts";
import { digestOf as nameDigest } from "../picker.ts";
import { nameIn } from "./name-from.ts";

/** Personas of one owner. */
export const maxOwned = 20;

export const digestOf = (ref: PersonaRef): string => nameDigest(personaRefText(ref));

/** A button; `#<digest>` in its argument refers to one persona, whose name is typed instead. */
export const button = commandButtons("persona");

/** One that opens a form, where forms can be opened. */
export const formButton = (label: string, argument: string, instead = argument): AnswerButton => ({
  ...button(label, argument, instead),
  data: formData("persona", argument),
});

export const useButton = ({ use }: Locale["personas"], ref: PersonaRef): AnswerButton =>
  button(use, `pick #${digestOf(ref)}`, ref.name);

/** The persona of this name, or of the button with `#<digest>`, or why there is none. */
export async function findPersona(
  call: CommandCall,
  deps: CommandDeps,
  text: string,
): Promise<{ readonly found: StoredPersona } | { readonly problem: string }> {
  const all = await availablePersonas(deps, call);
  const isDigest = text.startsWith("#");
  const name = nameIn(text);
  const found = all.find(({ ref }) =>
    isDigest ? digestOf(ref) === text.slice(1) : ref.name === name,
  );
  if (found !== undefined) return { found };
  const { personas, choices } = call.locale;
  if (isDigest) return { problem: personas.gone };
  const near = deps.nearest(text, [...new Set(all.map(({ ref }) => ref.name))]);
  const hint = near === undefined ? personas.seeAll : choices.didYouMean(near);
  return { problem: `${personas.noPersona(typed(visible(text)))} ${hint}` };
}

/** Why they may not choose, save or change it. */
export function refusalIn(
  personas: Locale["personas"],
  refusal: SaveRefusal,
  { name = "", notAllowed }: { readonly name?: string; readonly notAllowed: string },
): string {
  switch (refusal) {
    case "not-allowed":
      return notAllowed;
    case "anonymous":
      return personas.notAnonymously;
    case "no-place":
      return personas.noPlace;
    case "not-found":
      return personas.gone;
    case "full":
      return personas.tooMany(maxOwned);
    case "name-taken":
      return personas.taken(name);
    case "bad-name":
      return personas.lookalikeName(name);
    default:
      return refusal satisfies never;
  }
}

/** Whose it is, for its reader. */
export function ownerIn({ owners }: Locale["personas"], owner: string): string {
  const [kind = ""] = owner.split(":");
  return kind === "file" || kind === "everyone" || kind === "chat" ? owners[kind] : owners.person;
}

/** A text as people have to see it before they decide: hidden characters as codes. */
export const shownText = (text: string): string => visible(text, "\n\t");

/** A line about words that look like others. */
export function warningsOf(text: string, { cards }: Locale): readonly string[] {
  const words = lookalikes(text).map(spelledOut);
  return words.length === 0 ? [] : [cards.lookalikes(words.join(", "))];
}
