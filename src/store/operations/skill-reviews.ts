import { z } from "zod";
import {
  reportedSkillSchema,
  skillVersionSchema,
  type ReportedSkill,
  type SkillVersion,
} from "../../core/skill.ts";
import { chatKeySchema, type ChatKey } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { ledgerTtlMs } from "../turns/receipt.ts";

/** Reported again by running workers, long before. Milliseconds. */
const keptMs = 30 * 86_400_000;
/** How long a decision may be delivered again after a failure. Milliseconds. */
const recentMs = 600_000;
/** Admins are reminded of what still waits then. Milliseconds. */
const knownMs = 365 * 86_400_000;

const storedDecision = z.object({
  v: z.literal(1),
  kind: z.enum(["approved", "denied"]),
  /** The admin's id. */
  by: z.string(),
  /** When; earlier versions kept no time. Milliseconds since the epoch. */
  atMs: z.number().exactOptional(),
});
export type SkillDecision = Readonly<Omit<z.infer<typeof storedDecision>, "v">>;

const storedCard = z.object({
  v: z.literal(1),
  chat: chatKeySchema,
  /** The outbox entry that was sent. */
  entry: z.string(),
  /** In which it was written, as a BCP 47 tag. */
  language: z.string().exactOptional(),
  /** An older one was sent to the chat before. */
  isAgain: z.literal(true).exactOptional(),
});
/** A review with buttons that the outbox has sent. */
type SkillCard = Readonly<Omit<z.infer<typeof storedCard>, "v">>;

/**
 * What workers have on disk, and what admins decided about it. A version is decided once, `approved`
 * or `denied`; an approval may be withdrawn, which makes it `denied` for good.
 */
export interface SkillReviews {
  /** The last report of a worker; empty if there is none. */
  list(): Promise<readonly ReportedSkill[]>;
  /** @param versions the texts of what waits, and of what is approved, for later differences. */
  report(skills: readonly ReportedSkill[], versions: readonly SkillVersion[]): Promise<void>;
  version(version: string): Promise<SkillVersion | undefined>;
  /**
   * The version of this skill that an admin has approved last, of which the text is known. Undefined
   * also where that approval was withdrawn.
   */
  approvedBefore(name: string): Promise<SkillVersion | undefined>;
  /** By version; of those that no one has decided there is none. */
  decisions(versions: readonly string[]): Promise<ReadonlyMap<string, SkillDecision>>;
  /** @returns the first decision of all that were given, which is the one that counts. */
  decide(
    version: string,
    decision: SkillDecision,
  ): Promise<SkillDecision & { readonly isRecent: boolean }>;
  /** Withdraws an approval, also one by the operator's lock file. */
  withdraw(version: string, by: string): Promise<void>;
  /** Of each chat the newest one of a version, as long as its message can be changed. */
  cards(version: string): Promise<readonly SkillCard[]>;
  noteCard(version: string, card: Omit<SkillCard, "isAgain">): Promise<void>;
  /** Whether admins know that these wait; `note` remembers it. */
  unknownToAdmins(versions: readonly string[]): Promise<readonly string[]>;
  noteKnown(versions: readonly string[]): Promise<void>;
}

const storedList = z.object({ v: z.literal(1), skills: z.array(reportedSkillSchema) });
const storedVersion = skillVersionSchema.extend({ v: z.literal(1) });
/** Undefined: a newer version wrote it, or no Parley. */
function read<T>(schema: z.ZodType<T>, json: string | null | undefined): T | undefined {
  try {
    return schema.safeParse(JSON.parse(json ?? "null")).data;
  } catch {
    return undefined;
  }
}

/** One that can't be read allows nothing. */
function decisionOf(json: string): SkillDecision {
  const { v: _, ...decision } = read(storedDecision, json) ?? { v: 1, kind: "denied", by: "" };
  return decision;
}

const listKey = configKey("skills");
const decisionsKey = configKey("skill-decisions");
/** By name: the version that was approved last. */
const approvedKey = configKey("skill-approved");
const versionKey = (version: string): string => configKey(`skill-version:${version}`);
const knownKey = (version: string): string => configKey(`skill-known:${version}`);
/** By chat. Versions before this kept a set under `skill-cards:`, which expires. */
const cardsKey = (version: string): string => configKey(`skill-reviews:${version}`);

const write = (decision: SkillDecision): string => JSON.stringify({ v: 1, ...decision });

export function createSkillReviews({ redis, clock }: Pick<Store, "redis" | "clock">): SkillReviews {
  const version: SkillReviews["version"] = async (named) =>
    read(storedVersion, await redis.get(versionKey(named)));
  const decisions: SkillReviews["decisions"] = async (versions) => {
    if (versions.length === 0) return new Map();
    const stored = await redis.hmget(decisionsKey, ...versions);
    return new Map(
      versions.flatMap((each, index) => {
        const json = stored[index];
        return typeof json === "string" ? [[each, decisionOf(json)] as const] : [];
      }),
    );
  };
  return {
    list: async () => read(storedList, await redis.get(listKey))?.skills ?? [],
    async report(skills, versions) {
      const change = redis.multi().set(listKey, JSON.stringify({ v: 1, skills }));
      for (const each of versions)
        change.set(versionKey(each.version), JSON.stringify({ v: 1, ...each }), "PX", keptMs);
      for (const { name, state, version: named } of skills)
        if (state === "approved") change.hset(approvedKey, name, named);
      for (const [error] of (await change.exec()) ?? []) if (error) throw error;
    },
    version,
    async approvedBefore(name) {
      const named = await redis.hget(approvedKey, name);
      if (named === null || (await decisions([named])).get(named)?.kind !== "approved")
        return undefined;
      return await version(named);
    },
    decisions,
    async decide(named, decision) {
      const atMs = clock.now();
      await redis.hsetnx(decisionsKey, named, write({ ...decision, atMs }));
      const first = decisionOf((await redis.hget(decisionsKey, named)) ?? "");
      return { ...first, isRecent: atMs - (first.atMs ?? 0) < recentMs };
    },
    async withdraw(named, by) {
      await redis.hset(decisionsKey, named, write({ kind: "denied", by }));
    },
    async cards(named) {
      const all = await redis.hvals(cardsKey(named));
      return all.flatMap((json) => read(storedCard, json) ?? []);
    },
    async noteCard(named, card) {
      const key = cardsKey(named);
      const isAgain = (await redis.hexists(key, card.chat)) === 1;
      const stored = JSON.stringify({ v: 1, ...card, ...(isAgain ? { isAgain } : {}) });
      const change = redis.multi().hset(key, card.chat, stored);
      await change.pexpire(key, ledgerTtlMs).exec();
    },
    async unknownToAdmins(versions) {
      if (versions.length === 0) return [];
      const known = await redis.mget(versions.map(knownKey));
      return versions.filter((_, index) => known[index] === null);
    },
    async noteKnown(versions) {
      for (const each of versions) await redis.set(knownKey(each), "1", "PX", knownMs);
    },
  };
}

/** Their decisions stay, without their id: what they denied must not be offered again. */
export async function eraseSkillDeciders(
  redis: Store["redis"],
  personId: string,
  erasedId: string,
): Promise<void> {
  for (const [version, json] of Object.entries(await redis.hgetall(decisionsKey))) {
    const decision = decisionOf(json);
    if (decision.by === personId)
      await redis.hset(decisionsKey, version, write({ ...decision, by: erasedId }));
  }
}

/** Reviews that were sent to these chats. */
export async function eraseSkillCards(store: Store, chats: ReadonlySet<ChatKey>): Promise<void> {
  if (chats.size === 0) return;
  for await (const key of scanKeys(store, cardsKey("*"))) await store.redis.hdel(key, ...chats);
}
