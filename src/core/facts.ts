import { createHash } from "node:crypto";
import { z } from "zod";
import { chatKeySchema, type ChatKey, type Person } from "./chat.ts";

/** What a fact is about: the person who said it, or the chat. */
export const factScopes = ["me", "chat"] as const;

/** Characters of a fact. */
export const maxFactLength = 500;
/** How many facts a person or a chat has at most. */
export const maxFacts = 100;

/** Something that a person wanted to be kept. It is never changed: a newer one supersedes it. */
export const factSchema = z.object({
  v: z.literal(1),
  /** Eight characters, unique for its person or chat. */
  id: z.string(),
  text: z.string(),
  /** Who said it. */
  by: z.object({ id: z.string(), name: z.string() }),
  /** Milliseconds since the epoch. */
  atMs: z.number(),
  /** Where it was said. */
  chat: chatKeySchema,
  /** The platform's id of the message, for a link; absent where there is none. */
  messageId: z.string().optional(),
  /** The Discord server of the message. */
  guild: z.string().optional(),
  /** The id of the fact that it replaces. */
  supersedes: z.string().optional(),
});
export type Fact = Readonly<z.infer<typeof factSchema>>;

/** The id of what a write keeps. Pure. */
export const factIdOf = (key: string): string =>
  createHash("sha256").update(key).digest("hex").slice(0, 8);

/** Whose facts: a chat's, or a person's own. */
export type FactOwner = { readonly chat: ChatKey } | { readonly person: string };

/** The parts of a fact that its author gives. */
interface NewFact {
  readonly text: string;
  readonly by: Pick<Person, "id" | "name">;
  readonly chat: ChatKey;
  readonly messageId?: string | undefined;
  readonly guild?: string | undefined;
  readonly supersedes?: string | undefined;
}

/** `full`: there are `maxFacts`. `unknown`: there is no fact that it could supersede. */
export type Kept = "kept" | "full" | "unknown";

/** Chats' and people's facts, with consent. */
export interface Facts {
  /** Oldest first, superseded ones too. */
  list(owner: FactOwner): Promise<readonly Fact[]>;
  /** @param key names this write: repeated with the same key, it writes nothing. */
  keep(owner: FactOwner, fact: NewFact, key: string): Promise<Kept>;
  /** Deletes some, and nothing that they superseded. */
  removeWhere(owners: readonly FactOwner[], isGone: (fact: Fact) => boolean): Promise<void>;
  /** Deletes a fact and those that it supersedes. False: there is none with this id. */
  remove(owner: FactOwner, id: string): Promise<boolean>;
}

/** Without those that a newer one supersedes. Pure. */
export function currentFacts(facts: readonly Fact[]): readonly Fact[] {
  const old = new Set(facts.map(({ supersedes }) => supersedes));
  return facts.filter(({ id }) => !old.has(id));
}

/** The ids of a fact and of all that it supersedes. Pure. */
export function chainOf(facts: readonly Fact[], id: string): readonly string[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const chain: string[] = [];
  for (let at = byId.get(id); at !== undefined; at = byId.get(at.supersedes ?? "")) {
    if (chain.includes(at.id)) break;
    chain.push(at.id);
  }
  return chain;
}

/** What turns know of people's own facts; mostly from memory. */
export interface PersonFacts {
  /** Runs in the same round trip as `begin`. @throws what the store throws. */
  refresh(): Promise<void>;
  /** @throws what the store throws. */
  of(personId: string): Promise<readonly Fact[]>;
  /** See `Facts`: a chat's facts too. @throws what the store throws. */
  readonly removeWhere: Facts["removeWhere"];
}

export const noFacts: PersonFacts = {
  refresh: () => Promise.resolve(),
  of: () => Promise.resolve([]),
  removeWhere: () => Promise.resolve(),
};
