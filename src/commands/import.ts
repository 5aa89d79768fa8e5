import { createHash } from "node:crypto";
import type { ImportedKnowledge } from "../core/imported.ts";
import { commandData } from "../core/inbound.ts";
import type { Schedule } from "../core/schedule.ts";
import { dueText, scheduleName } from "../locales/schedule-text.ts";
import { newSchedule, paused } from "../text/new-schedule.ts";
import { nextRun } from "../text/next-run.ts";
import { visible } from "../text/visible-text.ts";
import {
  answer,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described } from "./menu.ts";

type Deps = Pick<CommandDeps, "imported" | "facts" | "schedules" | "now">;

/**
 * `/import`: shows what `init --from` found in another bot, facts and schedules on one card; `/import
 * <code>` is its button. The code is that of the content: nothing is kept that wasn't shown.
 */
export const importCommand: Command = {
  spec: {
    ...described("import", (menu) => menu.import.description),
    arguments: [{ ...described("code", (menu) => menu.import.code), required: false }],
    adminOnly: true,
  },
  role: "owner",
  isPrivate: true,
  hasButtons: true,
  async run(call, deps) {
    const { locale, direct, argument, options } = call;
    if (!direct) return answer(locale.imports.directOnly);
    const read = await deps.imported.read();
    const code = (options?.["code"] ?? argument).trim().toLowerCase();
    if (read === undefined) {
      // A second tap, or one that comes again after a crash.
      const done = await deps.imported.takenOver();
      return answer(
        done?.code === code ? locale.imports.done(done.facts, done.schedules) : locale.imports.none,
      );
    }
    const found = upcoming(read, deps.now());
    if (code === codeOf(found)) return await takeOver(found, call, deps);
    const card = cardOf(found, call);
    return code === "" ? card : { ...card, ...answer(locale.imports.hasChanged, card.text) };
  },
};

/** Without what was due once and has passed. */
const upcoming = (read: ImportedKnowledge, nowMs: number): ImportedKnowledge => ({
  ...read,
  schedules: read.schedules.filter(
    ({ timing, zone }) => nextRun(timing, zone, nowMs) !== undefined,
  ),
});

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const codeOf = (found: ImportedKnowledge): string => digestOf(JSON.stringify(found)).slice(0, 8);

const lines = (heading: string, all: readonly string[]): readonly string[] =>
  all.length === 0 ? [] : [heading, ...all.map((line) => `• ${visible(line)}`), ""];

function cardOf(found: ImportedKnowledge, { locale }: CommandCall): CommandAnswer {
  const { facts, schedules } = found;
  const say = locale.imports;
  const code = codeOf(found);
  return {
    ...answer(
      ...lines(say.facts, facts),
      ...lines(
        say.schedules,
        schedules.map(
          ({ text, ...due }) =>
            `${scheduleName({ type: "ask", text }, Infinity)} · ${dueText(due, locale)}`,
        ),
      ),
      say.question,
    ),
    buttons: [{ label: say.take, data: commandData("import", code), typed: `/import ${code}` }],
  };
}

/** Each under a key of its content: done again, it is kept once. */
async function takeOver(
  found: ImportedKnowledge,
  call: CommandCall,
  deps: Deps,
): Promise<CommandAnswer> {
  const { facts, schedules } = found;
  const { person, chat, locale } = call;
  const by = { id: person.id, name: person.name };
  const say = locale.imports;
  let kept = 0;
  for (const text of facts) {
    const key = `import-${digestOf(text)}`;
    const outcome = await deps.facts.keep({ person: person.id }, { text, by, chat }, key);
    if (outcome === "kept") kept += 1;
  }
  let made = 0;
  for (const each of schedules)
    if ((await deps.schedules.save(chat, pausedSchedule(each, call, deps.now()))) !== "too-many")
      made += 1;
  const left = facts.length + schedules.length - kept - made;
  if (left === 0)
    await deps.imported.finish({ v: 1, code: codeOf(found), facts: kept, schedules: made });
  return answer(say.done(kept, made), ...(left === 0 ? [] : [say.full(left)]));
}

/** It runs only after its person has resumed it. */
function pausedSchedule(
  { text, timing, zone }: ImportedKnowledge["schedules"][number],
  call: CommandCall,
  nowMs: number,
): Schedule {
  const seed = `import-${digestOf(JSON.stringify([text, timing, zone]))}`;
  const task = { type: "ask", text } as const;
  return paused(newSchedule({ seed, task, timing, zone, by: call.person }, call, nowMs));
}
