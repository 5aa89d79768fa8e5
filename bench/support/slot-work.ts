import { z } from "zod";
import type { RedisWatch } from "./redis-work.ts";

/**
 * The kinds of slots that a turn touches. Chats are spread over many; each of the others is one
 * slot, or one per bot.
 */
export const slotKinds = ["turns", "deliveries", "limits", "pace", "chats", "other"] as const;
export type SlotKind = (typeof slotKinds)[number];

/** How they are called for people. */
export const slotNames: Readonly<Record<SlotKind, string>> = {
  turns: "the turns' queue",
  limits: "limits",
  deliveries: "a bot's deliveries",
  pace: "a bot's pace",
  chats: "chats",
  other: "no slot",
};

/** What lies in one kind of slots, of all that was done between start and end. */
interface SlotWork {
  /** Sent by clients; those inside scripts are part of their script. */
  readonly commands: number;
  /** Of scripts alone, which is nearly all that is carried out. */
  readonly scriptMs: number;
}

/** Whose slot a key lies in, by its hash tag. Pure. */
export function slotKindOf(key: string): SlotKind {
  const [, tag = ""] = /\{([^}]+)\}/.exec(key) ?? [];
  if (/^s\d+$/.test(tag)) return "chats";
  if (tag === "turns" || tag === "limits") return tag;
  if (tag.startsWith("deliveries")) return "deliveries";
  return tag.startsWith("pace") ? "pace" : "other";
}

const isScript = (command: string): boolean => /^(?:eval|evalsha|fcall)$/i.test(command);

/** The first key of a command as it was sent. */
const keyOf = ([command = "", ...rest]: readonly string[]): string =>
  (isScript(command) ? rest[2] : rest[0]) ?? "";

const slowlogSchema = z.array(
  z.tuple([z.number(), z.number(), z.number(), z.array(z.string())]).rest(z.unknown()),
);

/** More scripts than any question runs. */
const logLength = 1_000_000;

/**
 * Watches every command by MONITOR and every script's time by the slow log, from now until `end`,
 * which tells what was found. Redis is slower meanwhile: shares are right, the whole is not.
 */
export async function watchSlots({ client }: RedisWatch): Promise<{
  end(): Promise<AllSlots>;
}> {
  const found = new Map(slotKinds.map((kind) => [kind, { commands: 0, scriptMs: 0 }]));
  const of = (key: string) => {
    const known = found.get(slotKindOf(key));
    if (known === undefined) throw new Error(`no kind of slots for ${key}`);
    return known;
  };
  const monitor = await client.monitor();
  monitor.on("monitor", (_time: string, command: readonly string[], source: string) => {
    if (source !== "lua") of(keyOf(command)).commands += 1;
  });
  await client.config("SET", "slowlog-max-len", String(logLength));
  await client.config("SET", "slowlog-log-slower-than", "0");
  await client.call("SLOWLOG", "RESET");
  return {
    async end() {
      const log = slowlogSchema.parse(await client.call("SLOWLOG", "GET", String(logLength)));
      monitor.disconnect();
      for (const [, , micros, command] of log)
        if (isScript(command[0] ?? "")) of(keyOf(command)).scriptMs += micros / 1_000;
      return found;
    },
  };
}

export type AllSlots = ReadonlyMap<SlotKind, SlotWork>;

const noWork: SlotWork = { commands: 0, scriptMs: 0 };

/**
 * What is left of some work when so much of another's is taken away, never less than nothing. Pure.
 */
export const without = (work: AllSlots, other: AllSlots, times: number): AllSlots =>
  new Map(
    slotKinds.map((kind) => {
      const [all, away] = [work, other].map((each) => each.get(kind) ?? noWork);
      const left = (of: keyof SlotWork): number =>
        Math.max(0, (all?.[of] ?? 0) - (away?.[of] ?? 0) * times);
      return [kind, { commands: left("commands"), scriptMs: left("scriptMs") }];
    }),
  );

/**
 * Shares out Redis' time by kind of slots: its scripts' own time, and of what is left (reading,
 * parsing, answering) a part by its number of commands. Pure. @param cpuMs as measured without a
 * watch
 */
export function cpuBySlot(work: AllSlots, cpuMs: number): ReadonlyMap<SlotKind, number> {
  const all = [...work.values()];
  const scriptMs = all.reduce((sum, each) => sum + each.scriptMs, 0);
  const commands = all.reduce((sum, each) => sum + each.commands, 0);
  // A watched script is a little slower than an unwatched one: never more than there was in all.
  const shrunk = scriptMs > cpuMs ? cpuMs / scriptMs : 1;
  const left = cpuMs - scriptMs * shrunk;
  return new Map(
    [...work].map(([kind, own]) => [
      kind,
      own.scriptMs * shrunk + (left * own.commands) / commands,
    ]),
  );
}
