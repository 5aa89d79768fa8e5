import { z } from "zod";
import { parseChatKey, personSchema, type ChatKey } from "../../core/chat.ts";
import {
  outcomes,
  taskSchema,
  timingSchema,
  type Outcome,
  type Schedule,
} from "../../core/schedule.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored, readable } from "../stored.ts";

/**
 * In version 2, what every schedule has is a list, since thousands wait for months, and names took a
 * third of their memory: the revision and the outcomes, which scripts change, whether it's a group's,
 * the task's type and text, the timing, the zone, and the author's id, name, language (perhaps "") and
 * user name (perhaps absent). Every version, and its scripts, finds `"nextMs":` and the author's id in
 * quotes. What version 1 made stays as it is, so that its processes go on with it.
 */
const newestVersion = 2;
const versionOne = z.looseObject({ v: z.literal(1) });
const versionTwo = z.looseObject({ v: z.literal(newestVersion), p: z.array(z.unknown()) });

/** Version 2 as version 1 is; the schemas leave out what isn't theirs. */
function unfolded(stored: unknown): unknown {
  const { success, data } = versionTwo.safeParse(stored);
  if (!success) return stored;
  const [revision, past, group, type, text, timing, zone, id, name, language, username] = data.p;
  return {
    ...data,
    revision,
    outcomes: past,
    ...(group === 1 ? { group: true } : {}),
    task: { ...data, type, text },
    timing,
    zone,
    by: { ...data, id, name, language: language === "" ? undefined : language, username },
  };
}

/**
 * What is usual is left out, and what the chat's key says, but nothing that depends on it: archives
 * become other chats. The script `commit` changes it, too. Lua writes an empty list as an object, so
 * there is none.
 */
const storedSchema = z.preprocess(
  unfolded,
  z.object({
    v: z.literal([1, newestVersion]),
    revision: z.number().int().positive(),
    task: taskSchema,
    /** A text is a cron rule. */
    timing: z.union([
      z.string().transform((rule) => ({ type: "cron", rule }) as const),
      timingSchema,
    ]),
    zone: z.string(),
    by: personSchema,
    group: z.literal(true).exactOptional(),
    guild: z.string().exactOptional(),
    threadOf: z.string().exactOptional(),
    late: z.enum(["once", "skip"]).default("once"),
    nextMs: z.number().exactOptional(),
    pausedWhy: z.enum(["person", "failures", "rights"]).exactOptional(),
    /** It was paused since its chat was dead. Earlier versions read that it has failed. */
    isDead: z.literal(true).exactOptional(),
    failures: z.number().int().default(0),
    /** Newest first: an outcome's first letter and its `slotText`. */
    outcomes: z.string().default("").transform(readOutcomes),
  }),
);

const maxOutcomes = 5;
export const letterOf = (outcome: Outcome): string => (outcome[0] as string).toUpperCase();
/** To the base 36, of whole seconds. */
export const slotText = (slotMs: number): string => Math.floor(slotMs / 1_000).toString(36);

function readOutcomes(stored: string): Schedule["outcomes"] {
  return [...stored.matchAll(/([A-Z])([0-9a-z]+)/g)].flatMap(([, letter, slot = ""]) => {
    const outcome = outcomes.find((one) => letterOf(one) === letter);
    return outcome === undefined ? [] : [{ outcome, slotMs: Number.parseInt(slot, 36) * 1_000 }];
  });
}

/** Of a key `plans:<chat>`, the schedules by their ids; it also has digests. */
export const storedIn = async ({ redis }: Pick<Store, "redis">, key: string) =>
  Object.entries(await redis.hgetall(key)).filter(([id]) => !id.startsWith("digest:"));

/** @throws what `parseStored` throws. */
export function readSchedule(chat: ChatKey, id: string, json: string): Schedule {
  const key = `${chatKeys(chat).plans} ${id}`;
  const {
    v: _,
    task,
    group,
    isDead,
    ...stored
  } = parseStored(storedSchema, key, json, newestVersion);
  return {
    ...stored,
    ...(isDead && stored.pausedWhy === "failures" ? { pausedWhy: "dead" } : {}),
    id,
    task:
      task.type === "watch"
        ? { ...task, given: parseStored(z.unknown(), key, String(task.given)) }
        : task,
    address: parseChatKey(chat),
    direct: group !== true,
  };
}

/** @param replaced what it replaces: that of version 1 stays of version 1 */
export function serialise(schedule: Schedule, replaced: string | null | undefined): string {
  const { id: _, address: __, task, timing: at, by, direct, late, failures, ...rest } = schedule;
  const { revision, zone, outcomes: all, pausedWhy, ...others } = rest;
  const timing = at.type === "cron" ? at.rule : at;
  const past = all
    .slice(0, maxOutcomes)
    .map(({ outcome, slotMs }) => letterOf(outcome) + slotText(slotMs))
    .join("");
  // As text: Lua changes what it can't hold.
  const given = task.type === "watch" ? { given: JSON.stringify(task.given ?? {}) } : {};
  const usual = {
    ...others,
    ...(pausedWhy === "dead" ? { pausedWhy: "failures", isDead: true } : { pausedWhy }),
    late: late === "skip" ? late : undefined,
    failures: failures === 0 ? undefined : failures,
  };
  if (readable(versionOne, replaced) !== undefined) {
    const group = direct ? undefined : true;
    const named = { revision, task: { ...task, ...given }, timing, zone, by, group };
    return JSON.stringify({ v: 1, ...named, outcomes: past, ...usual });
  }
  const { type, text, ...call } = task;
  const { id, name, language = "", username, ...person } = by;
  const list = [revision, past, direct ? 0 : 1, type, text, timing, zone, id, name, language];
  const p = username === undefined ? list : [...list, username];
  return JSON.stringify({ v: newestVersion, p, ...usual, ...person, ...call, ...given });
}
