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
import { isPrivateChatOf } from "../people/find-author.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/**
 * In version 2, what nearly every schedule has is named by a letter, and its task and its author are
 * no objects of their own: thousands wait for months, and names took a third of their memory. The
 * text is named by the task's type. Every version, and its scripts, finds `"nextMs":` and the
 * author's id in quotes.
 */
const letters: Readonly<Record<string, string>> = {
  revision: "n",
  zone: "z",
  timing: "t",
  outcomes: "o",
  id: "i",
  name: "m",
  username: "u",
  language: "l",
};
const wordOf = new Map(Object.entries(letters).map(([word, letter]) => [letter, word]));

const renamed = (value: object, nameOf: (name: string) => string | undefined) =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => [nameOf(name) ?? name, each]),
  );

const versionTwo = z.looseObject({ v: z.literal(2) });

/** Version 2 as version 1 was; the schemas leave out what isn't theirs. */
function unfolded(stored: unknown): unknown {
  const { success, data } = versionTwo.safeParse(stored);
  if (!success) return stored;
  const all = renamed(data, (name) => wordOf.get(name));
  const type = taskSchema.options.map((task) => task.shape.type.value).find((each) => each in all);
  return { ...all, by: all, task: { ...all, type, text: type && all[type] } };
}

/**
 * What is usual is left out, and what the chat's key says. The script `commit` changes it, too. Lua
 * writes an empty list as an object, so there is none.
 */
const storedSchema = z.preprocess(
  unfolded,
  z.object({
    v: z.literal([1, 2]),
    revision: z.number().int().positive(),
    task: taskSchema,
    /** A text is a cron rule. */
    timing: z.union([
      z.string().transform((rule) => ({ type: "cron", rule }) as const),
      timingSchema,
    ]),
    zone: z.string(),
    by: personSchema,
    /** Absent: see `isUsuallyGroup`. */
    group: z.boolean().exactOptional(),
    guild: z.string().exactOptional(),
    threadOf: z.string().exactOptional(),
    late: z.enum(["once", "skip"]).default("once"),
    nextMs: z.number().exactOptional(),
    pausedWhy: z.enum(["person", "failures", "rights"]).exactOptional(),
    failures: z.number().int().default(0),
    /** Newest first: an outcome's first letter and its `slotText`. */
    outcomes: z.string().default("").transform(readOutcomes),
  }),
);

const isUsuallyGroup = (chat: ChatKey, { id }: Schedule["by"]): boolean =>
  !isPrivateChatOf(chat, id);

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
  const { v, task, group, ...stored } = parseStored(storedSchema, key, json);
  return {
    ...stored,
    id,
    task:
      task.type === "watch"
        ? { ...task, given: parseStored(z.unknown(), key, String(task.given)) }
        : task,
    address: parseChatKey(chat),
    direct: !(group ?? (v === 2 && isUsuallyGroup(chat, stored.by))),
  };
}

export function serialise(chat: ChatKey, schedule: Schedule): string {
  const { id: _, address: __, task, timing, by, direct, late, failures, ...rest } = schedule;
  const { type, text, ...call } = task;
  const past = schedule.outcomes
    .slice(0, maxOutcomes)
    .map(({ outcome, slotMs }) => letterOf(outcome) + slotText(slotMs))
    .join("");
  const stored = {
    v: 2,
    ...rest,
    ...by,
    ...call,
    // As text: Lua changes what it can't hold.
    ...("given" in call ? { given: JSON.stringify(call.given ?? {}) } : {}),
    [type]: text,
    timing: timing.type === "cron" ? timing.rule : timing,
    group: direct === isUsuallyGroup(chat, by) ? !direct : undefined,
    late: late === "skip" ? late : undefined,
    failures: failures === 0 ? undefined : failures,
    outcomes: past === "" ? undefined : past,
  };
  return JSON.stringify(renamed(stored, (name) => letters[name]));
}
