import { z } from "zod";
import { chatKey, parseChatKey, personSchema, type ChatKey, type Person } from "../../core/chat.ts";
import {
  personaHash,
  personaSchema,
  type Persona,
  type PersonaOwner,
  type PersonaRef,
} from "../../core/persona.ts";
import { chatKeys, configKey } from "../keys.ts";
import { sampleKey } from "./persona-drafts.ts";
import { number, texts, list, type Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";
import { expireWithChat } from "../turns/chat-settings.ts";
import { unlessUnreadable, type ReportProblem } from "../unreadable.ts";

/** Of each persona the newest are kept. */
export const maxRevisions = 20;
/** Most personas of one owner; removed ones count for as long as they are kept. */
export const maxPersonas = 50;
/**
 * How long a removed persona is kept, so that turns which wait for an approval end as they began.
 * Milliseconds.
 */
const removedKeptMs = 30 * 86_400_000;

/** A saved state of a persona. */
const revisionSchema = z.object({
  /** From 1, and growing; also over a removal. */
  number: z.number(),
  /** Of the content; see `personaHash`. */
  hash: z.string(),
  /** Milliseconds since the epoch. */
  atMs: z.number(),
  /** Who saved it, with their name then. Absent: the operator, or a person who has been erased. */
  by: personSchema.pick({ id: true, name: true }).exactOptional(),
});
export type PersonaRevision = Readonly<z.infer<typeof revisionSchema>>;
type Author = Pick<Person, "id" | "name">;

/** A persona as it is now. */
export interface StoredPersona {
  readonly ref: PersonaRef;
  readonly persona: Persona;
  readonly revision: PersonaRevision;
}

/** Personas and their revisions, which never change. */
export interface PersonaStore {
  /** All of an owner, by name; unreadable ones and those of a newer version are left out. */
  list(owner: PersonaOwner, report?: ReportProblem): Promise<readonly StoredPersona[]>;
  /** Undefined: there is none, or it was removed. */
  find(ref: PersonaRef): Promise<StoredPersona | undefined>;
  /** The newest first; empty: there is none, or it was removed. */
  history(ref: PersonaRef): Promise<readonly PersonaRevision[]>;
  /** The content of any revision that is still kept, also of a removed persona. */
  content(owner: PersonaOwner, hash: string): Promise<Persona | undefined>;
  /**
   * Saves a new revision; the same content as the newest one's changes nothing. `full`: the owner
   * has the most personas already.
   */
  save(owner: PersonaOwner, persona: Persona, by?: Author): Promise<PersonaRevision | "full">;
  /**
   * Makes an earlier revision the newest one again, as a revision of its own. Undefined: there is no
   * such revision any more.
   */
  rollBack(ref: PersonaRef, revision: number, by?: Author): Promise<PersonaRevision | undefined>;
  /** False: there is none. Its revisions stay readable for turns that began with them. */
  remove(ref: PersonaRef): Promise<boolean>;
  /** Forgets which revisions this person has saved. */
  forget(owner: PersonaOwner, personId: string): Promise<void>;
  /** Changes with every change of any persona. */
  version(): Promise<string>;
}

const indexSchema = z.object({
  v: z.literal(1),
  /** The newest first. */
  revisions: z.array(revisionSchema).min(1),
  /** Set once it was removed. Milliseconds since the epoch. */
  removedAtMs: z.number().optional(),
});

const contentSchema = z.object({ v: z.literal(1), persona: personaSchema });

/** Counts changes of all personas. */
export const personasVersionKey = configKey("personas-version");

/** A hash: `n:<name>` is a persona's revisions, `c:<hash>` a content. */
export function personasKey(owner: PersonaOwner): string {
  if (owner === "file" || owner === "everyone") return configKey(`personas:${owner}`);
  const of = owner.slice(owner.indexOf(":") + 1);
  if (owner.startsWith("chat:")) return chatKeys(chatKey(parseChatKey(of))).personas;
  return owner.startsWith("sample:") ? sampleKey(of) : configKey(`personas-of:${of}`);
}

const authorJson = (by: Author | undefined): string =>
  by === undefined ? "" : JSON.stringify({ id: by.id, name: by.name.slice(0, 100).toWellFormed() });

/** The stored fields of a persona with one revision, saved by no person. */
export function newPersonaFields(persona: Persona, atMs: number): Record<string, string> {
  const hash = personaHash(persona);
  return {
    [`n:${persona.name}`]: JSON.stringify({ v: 1, revisions: [{ number: 1, hash, atMs }] }),
    [`c:${hash}`]: JSON.stringify({ v: 1, persona }),
  };
}

interface Changed {
  readonly hash?: string;
  readonly content?: string;
  readonly by?: Author | undefined;
}

/** @param options.retentionMs how long the personas of an inactive chat are kept, as its settings. */
export function createPersonaStore(
  store: Store,
  { retentionMs }: { readonly retentionMs?: number } = {},
): PersonaStore {
  const { redis, clock } = store;
  const readIndex = async ({ owner, name }: PersonaRef) => {
    const key = personasKey(owner);
    const json = await redis.hget(key, `n:${name}`);
    const index = json === null ? undefined : parseStored(indexSchema, key, json);
    return index?.removedAtMs === undefined ? index : undefined;
  };
  const readContent = async (owner: PersonaOwner, hash: string): Promise<Persona | undefined> => {
    const key = personasKey(owner);
    const json = await redis.hget(key, `c:${hash}`);
    return json === null ? undefined : parseStored(contentSchema, key, json).persona;
  };
  const find: PersonaStore["find"] = async (ref) => {
    const revision = (await readIndex(ref))?.revisions[0];
    const persona = revision && (await readContent(ref.owner, revision.hash));
    return revision && persona && { ref, persona, revision };
  };
  const change = async (
    what: "save" | "remove" | "forget",
    { owner, name }: PersonaRef,
    { hash = "", content = "", by }: Changed = {},
  ): Promise<readonly string[]> => {
    const key = personasKey(owner);
    const isChats = owner.startsWith("chat:");
    const reply = await store.run("persona", isChats ? [key] : [key, personasVersionKey], [
      what,
      name,
      hash,
      content,
      maxRevisions,
      maxPersonas,
      removedKeptMs,
      authorJson(by),
    ]);
    if (isChats && what !== "forget") {
      // In another slot, and perhaps never, if this process dies: so caches don't last for long.
      await redis.incr(personasVersionKey);
      // The end of the chat's next turn renews it.
      if (what === "save" && retentionMs !== undefined)
        await expireWithChat(redis, owner.slice("chat:".length) as ChatKey, { key, retentionMs });
    }
    return texts(list(reply));
  };
  const save: PersonaStore["save"] = async (owner, persona, by) => {
    const parsed = personaSchema.parse(persona);
    const hash = personaHash(parsed);
    const ref = { owner, name: parsed.name };
    const content = JSON.stringify({ v: 1, persona: parsed });
    const [result, revision, atMs] = await change("save", ref, { hash, content, by });
    return result === "full"
      ? "full"
      : { number: number(revision), hash, atMs: number(atMs ?? clock.now()) };
  };
  return {
    async list(owner, report = () => undefined) {
      const key = personasKey(owner);
      const names = (await redis.hkeys(key))
        .filter((field) => field.startsWith("n:"))
        .map((field) => field.slice(2))
        .toSorted((one, other) => (one < other ? -1 : 1));
      const found = await Promise.all(
        names.map((name) =>
          unlessUnreadable(report, `${key} ${name}`, () => find({ owner, name })),
        ),
      );
      return found.filter((each) => each !== undefined);
    },
    find,
    history: async (ref) => (await readIndex(ref))?.revisions ?? [],
    content: readContent,
    save,
    async rollBack(ref, revision, by) {
      const found = (await readIndex(ref))?.revisions.find(({ number: each }) => each === revision);
      const persona = found && (await readContent(ref.owner, found.hash));
      const saved = persona && (await save(ref.owner, persona, by));
      return saved === "full" ? undefined : saved;
    },
    async remove(ref) {
      const [result] = await change("remove", ref);
      return result === "removed";
    },
    forget: async (owner, personId) => void (await change("forget", { owner, name: personId })),
    version: async () => (await redis.get(personasVersionKey)) ?? "0",
  };
}
