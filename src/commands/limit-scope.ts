import { describePerson } from "../access/describe-person.ts";
import { knownNames } from "../access/known-names.ts";
import { quotedTitle } from "../access/place-name.ts";
import { platforms } from "../core/chat.ts";
import { limitedChat, limitedRoles, parseScopeName, scopeName } from "../core/limit-scopes.ts";
import type { LimitScope } from "../core/limits.ts";
import { typed, type CommandCall, type CommandDeps } from "./command.ts";
import { findPerson } from "./who.ts";

/** A scope, and how it is called in an answer. */
export interface NamedScope {
  readonly scope: LimitScope;
  readonly shown: string;
}

type ScopeFinding =
  | ({ readonly type: "found" } & NamedScope)
  /** A sentence for the asker. */
  | { readonly type: "problem"; readonly text: string };

/** Scopes that are typed as one word, for suggestions; people are named besides. */
export const typedScopes: readonly string[] = [
  "person",
  "chat",
  "global",
  "platform",
  ...limitedRoles.map((role) => `role:${role}`),
  ...platforms.map((platform) => `platform:${platform}`),
  "chats",
];

/**
 * Reads `person` (each person for themselves), `@name`, `telegram:1`, `chat` (this one), `chats`
 * (every one), `role:guest`, `platform` (this one), `platform:discord`, `global`, and what
 * `/limits` lists: `chat:telegram:77:-100`. Nothing means who wrote the message that is answered.
 */
export async function findScope(
  call: CommandCall,
  deps: Pick<CommandDeps, "pairing">,
  text: string,
): Promise<ScopeFinding> {
  const general = generalScope(call, text.toLowerCase()) ?? (await listedChat(text, deps));
  if (general) return { type: "found", ...general };
  const isMissing = text === "" && call.about === undefined;
  if (isMissing) return { type: "problem", text: call.locale.limits.how };
  const isGroupOfPeople = /^(?:role|platform)\b/i.test(text);
  if (isGroupOfPeople) return { type: "problem", text: call.locale.limits.badScope(typed(text)) };
  const mentioned = text.replace(/^person:(?=.)/i, "").replace(/^<@!?(\d+)>$/, "discord:$1");
  const found = await findPerson(call, deps, {
    text: mentioned,
    name: "limits",
  });
  if (found.type === "found") {
    const { person } = found;
    const scope: LimitScope = { kind: "person", id: person.id };
    return { type: "found", scope, shown: describePerson(person) };
  }
  const isName = /^@|:/.test(mentioned);
  return isName ? found : { type: "problem", text: call.locale.limits.badScope(typed(text)) };
}

function generalScope(
  { chat, address: { platform } }: Pick<CommandCall, "chat" | "address">,
  text: string,
): NamedScope | undefined {
  const [kind = "", of, ...rest] = text.split(":");
  if (rest.length > 0) return undefined;
  switch (kind) {
    case "person":
    case "global":
      return of === undefined ? named({ kind }) : undefined;
    case "chat":
      return of === undefined
        ? { scope: { kind, chat: limitedChat(chat) }, shown: kind }
        : undefined;
    case "chats":
      return of === undefined ? { scope: { kind: "chat" }, shown: kind } : undefined;
    case "role": {
      const role = limitedRoles.find((each) => each === of);
      return role && named({ kind, role });
    }
    case "platform": {
      const which = platforms.find((each) => each === (of ?? platform));
      return which && named({ kind, platform: which });
    }
    default:
      return undefined;
  }
}

/**
 * Another chat, as listed: an admin can remove its limit without going there or
 * being admitted again.
 */
async function listedChat(
  text: string,
  { pairing: { people } }: Pick<CommandDeps, "pairing">,
): Promise<NamedScope | undefined> {
  const scope = parseScopeName(text);
  if (scope?.kind !== "chat" || scope.chat === undefined) return undefined;
  const chat = limitedChat(scope.chat);
  const nameOf = await knownNames(people, { ids: [chat], people: new Map() });
  const name = nameOf(chat);
  const unnamed = named({ kind: "chat", chat });
  return name === undefined ? unnamed : { ...unnamed, shown: quotedTitle(name) };
}

/** A scope as `findScope` reads it, wherever it is typed. */
export function listedScope(scope: LimitScope): string {
  if (scope.kind === "chat" && scope.chat === undefined) return "chats";
  return scope.kind === "person" && scope.id !== undefined ? scope.id : scopeName(scope);
}

const named = (scope: LimitScope): NamedScope => ({
  scope,
  shown: scopeName(scope),
});
