import { z } from "zod";
import { isUserInstall, parseChatKey, type Person } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import {
  maxSchedules,
  type Schedule,
  type Schedules,
  type Task,
  type Timing,
} from "../core/schedule.ts";
import type { Role } from "../core/roles.ts";
import type { Tool, ToolContext } from "../core/tool.ts";
import { maxTaskText, newSchedule, paused, resumed } from "../text/new-schedule.ts";
import { englishWhen, readWhen, timingProblem, type WhenProblem } from "../text/when.ts";
import { clockText, zoneNamed } from "../text/zones.ts";
import { defineTool } from "./define-tool.ts";
import { maxOldLength, shortenLine } from "./shorten.ts";

const problems: Readonly<Record<WhenProblem, string>> = {
  impossible: "there is no such date, time or rule",
  past: "that time has passed",
  soon: "expected at least 5 seconds from now",
  far: "expected a time within ten years",
  never: "that rule never comes up",
  often: "expected at least 5 minutes between two times",
};
const forms =
  "in 20m, tomorrow 9:00, 2027-01-05 09:00, ISO 8601 with an offset, every 2h, every monday 9:00, or a five-field cron rule";

const kinds =
  "remind (default) sends the text; ask has you answer the text as a new message; watch calls a reading tool, and has you answer only when its result has changed";

interface Deps {
  readonly schedules: Schedules;
  /** A tool by the name that the model sees. */
  readonly findTool: (wireName: string) => Pick<Tool, "name" | "effect"> | undefined;
  /** Keeps a time zone as the person's own if they have none; whether it did. */
  readonly keepZone: (person: Person, zone: string) => Promise<boolean>;
  readonly log: {
    readonly warn: (fields: { readonly error: string }, message: string) => void;
  };
  /** US dollars that an answer in this chat has cost on average; undefined: unknown. */
  readonly usdPerTurn: (chat: ToolContext["chat"]) => Promise<number | undefined>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const optional = z.object({
  id: z.string().max(20).describe("Of an existing schedule"),
  kind: z.enum(["remind", "ask", "watch"]).describe(kinds),
  when: z.string().max(200).describe(forms),
  text: z.string().trim().min(1).max(maxTaskText).describe("The reminder, or your task"),
  zone: z
    .string()
    .describe("IANA time zone of `when`; default: the person's own. Ask, don't guess"),
  quiet: z.boolean().describe("For ask: say nothing if there is nothing to say"),
  late: z
    .enum(["once", "skip"])
    .describe("What to do with a time that was missed by hours; default once"),
  paused: z.boolean().describe("For change"),
  tool: z.string().max(100).describe("For watch: the tool to call"),
  arguments: z.string().max(4_000).describe("For watch: the tool's arguments, as JSON"),
  pointer: z.string().max(200).describe("For watch: a JSON pointer into the result"),
});
const shape = z.strictObject({
  action: z.enum(["create", "list", "change", "delete"]),
  ...optional.partial().shape,
});
type Given = z.infer<typeof shape>;

const readEnglish = (when: string, nowMs: number, zone = "UTC") =>
  readWhen(when, { words: englishWhen, zone, nowMs });

/**
 * Reminders and schedules of the requester in this chat. A person is asked about everything but a
 * list and a single reminder, in a turn that a schedule began also about that. No rule and no
 * permission makes a schedule of the model's that no one has seen.
 */
export function scheduleTool(deps: Deps): Tool {
  const { now } = deps;
  return defineTool({
    name: "schedule",
    description: "Sets reminders and schedules of this chat, and lists, changes or deletes them.",
    parameters: shape.superRefine((given, context) => {
      const message = problemOf(given, deps);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    }),
    effect: "keyed",
    confirm(given, conversation) {
      if (given.action === "list") return false;
      if (given.action === "delete") return true;
      // No one is asked about what would not run.
      if (isGuest(conversation) || lacksZone(given, conversation.zone, now())) return false;
      return conversation.isScheduled === true || !isSingleReminder(given, now())
        ? "each-time"
        : false;
    },
    history: "action",
    cardFacts: async (given, asking) => {
      const { id } = given;
      const usd = await deps.usdPerTurn(asking.chat);
      const found = id === undefined ? undefined : await find(given, asking, deps);
      const own = found?.by.id === asking.requester.id ? found : undefined;
      return {
        ...(usd !== undefined && { usdPerTurn: String(usd) }),
        ...(id && own && { id, schedule: JSON.stringify(shownOnCard(own)) }),
      };
    },
    async run(given, context) {
      const { action } = given;
      if (action === "create" || action === "change") {
        if (isGuest(context)) throw new Error(forMembers);
        if (lacksZone(given, context.zone, now())) return { text: asksZone };
      }
      return { text: await actions[action](given, context, deps) };
    },
  });
}

const actions = { create, list, change, delete: remove } as const;

/** What is wrong with a call, before a person is asked about it. */
function problemOf(given: Given, { findTool, now }: Deps): string | undefined {
  const { action, kind = "remind", id, when, text, quiet, tool } = given;
  if ((action === "change" || action === "delete") && id === undefined) return "id: expected";
  if (action === "create" && (when === undefined || text === undefined))
    return "when and text: expected both";
  if (action === "create" && (kind === "watch") !== (tool !== undefined))
    return "tool: expected with the kind watch, and only with it";
  if (tool !== undefined && (action !== "create" || findTool(tool)?.effect !== "read"))
    return `tool: expected the name of a tool that only reads, to create a watch`;
  const fixed = (["kind", "arguments", "pointer"] as const).find(
    (name) => given[name] !== undefined,
  );
  if (action === "change" && fixed !== undefined)
    return `${fixed}: a schedule keeps what it was made with; delete it and create another`;
  if (quiet !== undefined && kind !== "ask" && action === "create")
    return "quiet: expected with the kind ask only";
  if (givenTo(given) === undefined) return "arguments: expected a JSON object";
  if (given.zone !== undefined && zoneNamed(given.zone) === undefined)
    return "zone: expected an IANA time zone such as Europe/Berlin";
  if (when === undefined) return undefined;
  const found = readEnglish(when, now(), given.zone);
  if (found === undefined || ("rest" in found && found.rest !== ""))
    return `when: expected ${forms}`;
  if (!("problem" in found) || found.problem === "past") return undefined;
  // How far away a local time is depends on the person's zone.
  return found.isLocal && found.problem === "soon" ? undefined : `when: ${problems[found.problem]}`;
}

function givenTo({ arguments: json = "{}" }: Given): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSingleReminder({ action, kind = "remind", when = "" }: Given, nowMs: number): boolean {
  const found = readEnglish(when, nowMs);
  // Only a single time can have passed.
  const isOnce = found !== undefined && ("problem" in found || found.timing.type === "at");
  return action === "create" && kind === "remind" && isOnce;
}

const isGuest = ({ role }: { readonly role?: Role | undefined }): boolean => role === "guest";
const forMembers =
  "only members can set reminders and schedules here, and this person is a guest; an admin can make them a member";

/** Whether it means a local time, and no one knows where. A changed one has a zone. */
const lacksZone = (
  { action, zone, when = "" }: Given,
  known: string | undefined,
  nowMs: number,
): boolean =>
  action === "create" &&
  zone === undefined &&
  known === undefined &&
  readEnglish(when, nowMs)?.isLocal === true;

const asksZone =
  "Nothing was created: this person's time zone is unknown. Ask them for their city or time zone, then call again with `zone`; it is kept for the next time.";
const zoneKept =
  " That is kept as this person's time zone from now on. Say so; they can change it with `/schedule zone <city>`.";

/** By its usual name. */
const namedZone = ({ zone }: Given): string | undefined => zone && zoneNamed(zone);

/**
 * As the card showed it: `tomorrow` is the day after the one on which a person was asked. @throws for
 * a time that has passed.
 */
function timingOf(when: string, zone: string, { askedAtMs }: ToolContext, nowMs: number): Timing {
  const found = readEnglish(when, askedAtMs ?? nowMs, zone);
  if (found === undefined) throw new Error(`expected ${forms}`);
  if ("problem" in found) throw new Error(problems[found.problem]);
  const { timing } = found;
  if (timing.type === "at" && timing.atMs <= nowMs) throw new Error(problems.past);
  return timing;
}

function taskOf(given: Given, { findTool }: Deps): Task {
  const { kind = "remind", text = "", quiet, tool = "", pointer } = given;
  switch (kind) {
    case "remind":
      return { type: "remind", text };
    case "ask":
      return { type: "ask", text, ...(quiet ? { isQuiet: true } : {}) };
    case "watch":
      return {
        type: "watch",
        // Names on the wire change with the other tools.
        tool: findTool(tool)?.name ?? tool,
        given: givenTo(given) ?? {},
        ...(pointer === undefined ? {} : { pointer }),
        text,
      };
    default:
      return kind satisfies never;
  }
}

async function create(given: Given, context: ToolContext, deps: Deps): Promise<string> {
  const { chat, requester, idempotencyKey, group, where } = context;
  const nowMs = deps.now();
  const address = parseChatKey(chat);
  if (isUserInstall(address)) throw new Error("nothing can be sent here later");
  const zone = namedZone(given) ?? context.zone ?? "UTC";
  const timing = timingOf(given.when ?? "", zone, context, nowMs);
  const task = taskOf(given, deps);
  const what = { seed: idempotencyKey, task, timing, zone, by: requester, late: given.late };
  const schedule = newSchedule(what, { address, direct: group !== true, ...where }, nowMs);
  const saved = await deps.schedules.save(chat, schedule, idempotencyKey);
  if (saved === "too-many")
    throw new Error(
      `this person has ${maxSchedules} schedules in all chats already; one has to be deleted first`,
    );
  if (saved !== "saved") throw new Error("it could not be stored");
  // They are asked once.
  const isNew =
    given.zone !== undefined && lacksZone({ ...given, zone: undefined }, context.zone, nowMs);
  // The schedule exists: a call that failed now would be made again, and with it a second one.
  const notKept = (error: unknown): false => {
    deps.log.warn({ error: messageOf(error) }, "a time zone could not be kept");
    return false;
  };
  const isKept = isNew && (await deps.keepZone(requester, zone).catch(notKept));
  return `Created ${described(schedule)}${isKept ? `.${zoneKept}` : ""}`;
}

async function list(_: Given, { chat, requester }: ToolContext, deps: Deps): Promise<string> {
  const all = await deps.schedules.list(chat);
  const own = all.filter(({ by }) => by.id === requester.id);
  return own.map(described).join("\n") || "There are no schedules.";
}

const find = ({ id = "" }: Given, { chat }: Pick<ToolContext, "chat">, { schedules }: Deps) =>
  schedules.read(chat, id.trim().toLowerCase());

async function ownSchedule(given: Given, context: ToolContext, deps: Deps): Promise<Schedule> {
  const found = await find(given, context, deps);
  if (found?.by.id === context.requester.id) return found;
  throw new Error(
    `this person has no schedule ${given.id} here; the action list shows those they have`,
  );
}

async function remove(given: Given, context: ToolContext, deps: Deps): Promise<string> {
  if ((await find(given, context, deps)) === undefined)
    return `There is no schedule ${given.id} here: it is already deleted, or there never was one.`;
  const { id } = await ownSchedule(given, context, deps);
  await deps.schedules.remove(context.chat, id);
  return `Deleted ${id}.`;
}

async function change(given: Given, context: ToolContext, deps: Deps): Promise<string> {
  const { pausedWhy, ...before } = await ownSchedule(given, context, deps);
  const nowMs = deps.now();
  const { when, late = before.late, paused: rests = pausedWhy !== undefined } = given;
  const usualZone = when === undefined ? undefined : context.zone;
  const zone = namedZone(given) ?? usualZone ?? before.zone;
  const timing = when === undefined ? before.timing : timingOf(when, zone, context, nowMs);
  const problem = timingProblem(timing, { zone, nowMs });
  if (problem !== undefined && !rests) throw new Error(problems[problem]);
  if (given.quiet !== undefined && before.task.type !== "ask")
    throw new Error(
      `quiet: ${before.id} is of the kind ${before.task.type}, and only ask can be quiet`,
    );
  const task = changedTask(before.task, given);
  const next = resumed({ ...before, task, timing, zone, late }, nowMs);
  const after = rests ? paused({ ...next, ...(pausedWhy && { pausedWhy }) }) : next;
  const saved = await deps.schedules.save(context.chat, after, context.idempotencyKey);
  if (saved !== "saved")
    throw new Error("it has been changed or removed since; list and try again");
  return `Changed ${described(after)}`;
}

const changedTask = (task: Task, { text = task.text, quiet }: Given): Task =>
  task.type === "ask"
    ? { type: "ask", text, ...((quiet ?? task.isQuiet) ? { isQuiet: true } : {}) }
    : { ...task, text };

/** What a card says of a schedule that is changed or deleted. */
const shownOnCard = ({ task: { type, text }, timing, zone, pausedWhy }: Schedule) => ({
  task: { type, text: shortenLine(text, maxOldLength) },
  timing,
  zone,
  ...(pausedWhy && { paused: true }),
});

/** For the model: `k3x9qa: remind "tea", next 2027-01-05 09:00 (Europe/Berlin)`. */
function described({ id, task, timing, zone, nextMs, pausedWhy }: Schedule): string {
  const resting = pausedWhy === undefined ? "over" : "paused";
  const parts = [
    `${task.type} ${JSON.stringify(task.text)}`,
    timing.type === "cron" && `rule ${timing.rule}`,
    timing.type === "every" && `every ${timing.everyMs / 60_000} minutes`,
    nextMs === undefined ? resting : `next ${clockText(zone, nextMs)}`,
  ];
  return `${id}: ${parts.filter(Boolean).join(", ")} (${zone})`;
}
