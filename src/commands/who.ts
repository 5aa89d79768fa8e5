import { platforms, type Person, type Platform } from "../core/chat.ts";
import { typed, type CommandCall, type CommandDeps } from "./command.ts";

/**
 * The person that a command is about; `anonymous` is set for senders that speak
 * for many.
 */
export type Named = Pick<Person, "id" | "name" | "username" | "anonymous">;
export type Finding =
  | { readonly type: "found"; readonly person: Named }
  /** A sentence for the asker. */
  | { readonly type: "problem"; readonly text: string };

const idShape = /^(?:(?:telegram|discord):-?[1-9]\d{0,19}|console:[\w.-]{1,64})$/;
/** Telegram's and Discord's user names; one of another platform is named as `discord:@sam`. */
const nameShape = /^(?:(telegram|discord):)?@?([\w.]{2,32})$/;

/**
 * Resolves the person a user means: `telegram:1`, `@name` of a recent writer,
 * or, if omitted, the author of the message that is answered.
 * @param name of the command, for a hint.
 */
export async function findPerson(
  { about, address, locale: { people } }: Pick<CommandCall, "about" | "address" | "locale">,
  { pairing }: Pick<CommandDeps, "pairing">,
  { text, name }: { readonly text: string; readonly name: string },
): Promise<Finding> {
  const whom = address.platform === "discord" ? people.whomOnDiscord : people.whom;
  if (text === "")
    return about === undefined
      ? { type: "problem", text: whom(name) }
      : { type: "found", person: about };
  if (idShape.test(text)) {
    if (about?.id === text) return { type: "found", person: about };
    const known = await pairing.people.knownPerson(text);
    return { type: "found", person: known ?? { id: text, name: text } };
  }
  const [, elsewhere, username] = nameShape.exec(text) ?? [];
  const platform: Platform = platforms.find((each) => each === elsewhere) ?? address.platform;
  const found =
    username === undefined ? undefined : await pairing.people.findByUsername(platform, username);
  return found === undefined
    ? { type: "problem", text: people.nobodyCalled(typed(text)) }
    : { type: "found", person: found };
}

/**
 * The text after a command's name, split by its arguments: words first, the
 * remaining text for the last one.
 */
export interface GivenWords {
  readonly first: string;
  readonly rest: string;
}

export function splitWords(text: string): GivenWords {
  const [first = "", ...rest] = text.trim().split(/\s+/);
  return { first, rest: rest.join(" ") };
}
