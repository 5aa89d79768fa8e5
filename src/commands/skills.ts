import { Readable } from "node:stream";
import { decideSkill, versionBefore } from "../approvals/skill-review.ts";
import {
  approvalCode,
  approvalCodes,
  skillCard,
  skillFile,
  type SkillReview,
} from "../approvals/skill-card.ts";
import { shortApprovalId } from "../core/approval.ts";
import type { AnswerButton } from "../core/inbound.ts";
import { replyEntryId, spokenIn } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import { skillsIn, type ReportedSkill } from "../core/skill.ts";
import type { Locale } from "../locales/locale.ts";
import { visible } from "../text/visible-text.ts";
import { mayChangeChat, noteSetting, type Chooser } from "./choice.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { postFiles } from "./export/parts.ts";
import { described, optional } from "./menu.ts";
import { effectivePersona, type EffectivePersona } from "./personas.ts";
import { digestOf, maxButtons } from "./picker.ts";
import { commandIn } from "../locales/locale-for.ts";

const actions = ["on", "off", "review", "show", "approve", "deny"] as const;
type Action = (typeof actions)[number];

/** UTF-16 units of a description in the list, and skills that it shows. */
const maxDescription = 100;
const maxListed = 40;

type Deps = Pick<
  CommandDeps,
  | "skillReviews"
  | "settings"
  | "personas"
  | "audit"
  | "pairing"
  | "tools"
  | "nearest"
  | "blobs"
  | "post"
  | "now"
>;

/**
 * `/skills`: which skills the chat has. `/skills on|off <skill>` for those who may change its
 * settings; `/skills review|show|approve|deny <skill> [code]` for admins, who decide what is used
 * at all. The code is the version's: nothing is approved that wasn't shown.
 */
export const skillsCommand: Command = {
  spec: {
    ...described("skills", (menu) => menu.skills.description),
    arguments: [
      optional("action", (menu) => menu.skills.action, { choices: actions }),
      optional("skill", (menu) => menu.skills.skill),
    ],
  },
  role: "guest",
  isPrivate: false,
  async run(call, deps) {
    const { action: given, name, code } = requestOf(call);
    if (given === "") return await list(call, deps);
    const action = actions.find((each) => each === given.toLowerCase());
    const { locale, role } = call;
    if (action === undefined) return answer(locale.skills.which);
    if (action === "on" || action === "off") {
      const all = await deps.skillReviews.list();
      if (!all.some((each) => each.name === name)) return answer(unknown(call, deps, name, all));
      return answer((await setSkill(deps, call, { name, isOn: action === "on" })).text);
    }
    if (!isAtLeast(role, "admin")) return answer(locale.ingress.adminsOnly(`skills ${action}`));
    return { ...(await forAdmins(call, deps, { action, name, code })), isPrivate: true };
  },
};

function requestOf({ argument, options }: CommandCall) {
  const words = options ? `${options["action"] ?? ""} ${options["skill"] ?? ""}` : argument;
  const [action = "", name = "", code = ""] = words.trim().split(/\s+/);
  return { action, name: name.toLowerCase(), code: code.toUpperCase() };
}

async function skillsOf(
  { chat }: Pick<CommandCall, "chat">,
  { skillReviews, settings }: Pick<Deps, "skillReviews" | "settings">,
) {
  const [all, { skillsOff }] = await Promise.all([skillReviews.list(), settings.read(chat)]);
  const approved = all.filter(({ state }) => state === "approved");
  return { all, approved, on: skillsIn(approved, { skillsOff }) };
}

/** Which skills are on for the persona in a chat, in one line; none where there are none. */
export async function skillsLine(
  call: Pick<CommandCall, "chat" | "locale">,
  deps: Pick<Deps, "skillReviews" | "settings">,
  persona: EffectivePersona | undefined,
): Promise<readonly string[]> {
  const { on } = await skillsOf(call, deps);
  const used = skillsIn(on, { allowed: persona?.stored.persona.skills });
  return used.length === 0 ? [] : [call.locale.skills.inUse(namesOf(used))];
}

/** Which of those that are on the persona uses, where it names some. */
function personaLine(
  { skills: say }: Locale,
  on: readonly ReportedSkill[],
  persona: EffectivePersona | undefined,
): readonly string[] {
  const allowed = persona?.stored.persona.skills;
  if (persona === undefined || allowed === undefined) return [];
  const used = skillsIn(on, { allowed });
  const { name } = persona.ref;
  return [used.length === 0 ? say.personaUsesNone(name) : say.personaUses(name, namesOf(used))];
}

async function list(call: CommandCall, deps: Deps): Promise<CommandAnswer> {
  const { locale, address } = call;
  const { skills: say, tools: more } = locale;
  const [{ all, approved, on }, persona] = await Promise.all([
    skillsOf(call, deps),
    effectivePersona(deps, call),
  ]);
  const waiting = all.filter(({ state }) => state === "waiting");
  const used = new Set(on.map(({ name }) => name));
  const shown = approved.slice(0, maxListed);
  return {
    ...answer(
      ...(approved.length === 0 ? [say.none] : [say.heading]),
      ...shown.map((skill) => line(skill, used.has(skill.name))),
      ...(approved.length > shown.length ? [more.more(approved.length - shown.length)] : []),
      ...(approved.length === 0 ? [] : [...personaLine(locale, on, persona), say.howTo]),
      ...(waiting.length === 0 ? [] : [say.waiting(namesOf(waiting))]),
    ),
    // A terminal would only repeat the names.
    ...(mayChangeChat(call) && address.platform !== "console"
      ? { buttons: toggleButtons(approved, used) }
      : {}),
  };
}

function line({ name, description }: ReportedSkill, isOn: boolean): string {
  const text = visible(description);
  const short =
    text.length > maxDescription ? `${text.slice(0, maxDescription).toWellFormed()}…` : text;
  return `${isOn ? "✓" : "✗"} ${name} – ${short}`;
}

const namesOf = (skills: readonly ReportedSkill[]): string => {
  const names = skills.slice(0, maxListed).map(({ name }) => name);
  return [...names, ...(skills.length > maxListed ? ["…"] : [])].join(", ");
};

/** `sk:<on|off>:<digest>`: what is wanted, so that a tap that comes twice does the same. */
const toggleButtons = (
  skills: readonly ReportedSkill[],
  used: ReadonlySet<string>,
): readonly AnswerButton[] =>
  skills.slice(0, maxButtons).map(({ name }) => {
    const wanted = used.has(name) ? "off" : "on";
    return {
      label: `${used.has(name) ? "✓" : "✗"} ${name}`,
      data: `sk:${wanted}:${digestOf(name)}`,
      typed: `/skills ${wanted} ${name}`,
    };
  });

/** A tap on such a button. Undefined: no such button, or no such skill any more. */
export async function applySkill(
  deps: Pick<Deps, "skillReviews" | "settings" | "audit" | "now">,
  chooser: Chooser,
  data: string,
): Promise<{ readonly isAllowed: boolean; readonly text: string } | undefined> {
  const [, wanted, digest] = /^sk:(on|off):([\w-]{10})$/.exec(data) ?? [];
  const skill = (await deps.skillReviews.list()).find(({ name }) => digestOf(name) === digest);
  if (wanted === undefined || skill === undefined) return undefined;
  return await setSkill(deps, chooser, { name: skill.name, isOn: wanted === "on" });
}

async function setSkill(
  { settings, audit, now }: Pick<Deps, "settings" | "audit" | "now">,
  chooser: Chooser,
  { name, isOn }: { readonly name: string; readonly isOn: boolean },
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const { chat, locale } = chooser;
  if (!mayChangeChat(chooser))
    return { isAllowed: false, text: locale.settings.adminsInGroups("skills") };
  await settings.switchSkill(chat, name, isOn);
  await noteSetting({ audit, now }, chooser, "skills", `${name} ${isOn ? "on" : "off"}`);
  return { isAllowed: true, text: isOn ? locale.skills.isOn(name) : locale.skills.isOff(name) };
}

/** What is said of a skill that isn't there. */
export function unknown(
  { locale }: Pick<CommandCall, "locale">,
  { nearest }: Pick<Deps, "nearest">,
  name: string,
  skills: readonly Pick<ReportedSkill, "name">[],
): string {
  if (name === "") return locale.skills.which;
  const guess = nearest(
    name,
    skills.map((each) => each.name),
  );
  const hint = guess === undefined ? [] : [locale.choices.didYouMean(guess)];
  return [locale.skills.unknown(typed(name)), ...hint].join(" ");
}

async function forAdmins(
  call: CommandCall,
  deps: Deps,
  { action, name, code }: { readonly action: Action; readonly name: string; readonly code: string },
): Promise<CommandAnswer> {
  const { locale, person, role, chat } = call;
  const all = await deps.skillReviews.list();
  const waiting = all.filter(({ state }) => state === "waiting");
  if (action === "review" && waiting.length === 0) return answer(locale.skills.noneWaits);
  const skill =
    action === "review" && name === "" ? waiting[0] : all.find((each) => each.name === name);
  if (skill === undefined) return answer(unknown(call, deps, name, all));
  const { version, state } = skill;
  if (action === "review" || action === "show") {
    const review = await reviewOf(deps, skill);
    if (review === undefined) return answer(locale.skills.noSuchVersion);
    return action === "show"
      ? await sendFile(call, deps, { review, skill })
      : await reviewed(call, deps, { review, skill, waiting });
  }
  const kind = action === "approve" ? "approved" : "denied";
  // Withdrawing is safe, whatever was shown.
  const withdraws = kind === "denied" && state === "approved";
  if (!withdraws && !Object.values(approvalCodes(version)).includes(code))
    return answer(locale.skills.noSuchVersion);
  const verdict = { version, kind, code, withdraws, person, role, chat, locale } as const;
  return answer((await decideSkill(deps, { ...verdict, isTyped: true })).text ?? "");
}

async function reviewOf(
  { skillReviews, tools }: Deps,
  { version, name }: ReportedSkill,
): Promise<SkillReview | undefined> {
  const [now, before, offered] = await Promise.all([
    skillReviews.version(version),
    versionBefore({ skillReviews }, { name, version }),
    tools(),
  ]);
  return now && { now, before, tools: offered.map((tool) => tool.name) };
}

/**
 * Buttons `ka:<version>`, with `:<code>` where that is another one than the version's, and
 * `kd:<version>`.
 * @param code what approves it; undefined: not all of its text was shown.
 */
function decisionButtons(
  { cards }: Locale,
  { name, version, state }: ReportedSkill,
  code: string | undefined,
): Pick<CommandAnswer, "buttons"> {
  if (state !== "waiting") return {};
  const own = shortApprovalId(version);
  const deny = { data: `kd:${version}`, typed: `/skills deny ${name} ${own}`, label: cards.deny };
  if (code === undefined) return { buttons: [deny] };
  const data = code === own ? `ka:${version}` : `ka:${version}:${code}`;
  return {
    buttons: [{ data, typed: `/skills approve ${name} ${code}`, label: cards.approve }, deny],
  };
}

/** So that its buttons go when another admin has decided. */
async function noteCard(
  { chat, direct, answersItself, eventId, person }: CommandCall,
  { skillReviews }: Deps,
  { version, state }: ReportedSkill,
): Promise<void> {
  // What an adapter shows by itself can't be changed later; in a group it is sent without buttons.
  if (state === "waiting" && direct && !answersItself)
    await skillReviews.noteCard(version, {
      chat,
      entry: replyEntryId(eventId),
      ...spokenIn(person.language),
    });
}

async function reviewed(
  call: CommandCall,
  deps: Deps,
  {
    review,
    skill,
    waiting,
  }: {
    readonly review: SkillReview;
    readonly skill: ReportedSkill;
    readonly waiting: readonly ReportedSkill[];
  },
): Promise<CommandAnswer> {
  const { locale } = call;
  await noteCard(call, deps, skill);
  const others = waiting.filter((each) => each !== skill);
  const { text, isCut } = skillCard(review, locale);
  return {
    ...answer(text, ...(others.length === 0 ? [] : [locale.skills.alsoWait(namesOf(others))])),
    ...decisionButtons(locale, skill, isCut ? undefined : approvalCodes(skill.version).ofCard),
  };
}

/** All of it as a file, in a private chat, with what decides about it. */
async function sendFile(
  call: CommandCall,
  deps: Deps,
  { review, skill }: { readonly review: SkillReview; readonly skill: ReportedSkill },
): Promise<CommandAnswer> {
  const { locale, direct, eventId } = call;
  const { name, version, state } = skill;
  if (!direct) return answer(locale.skills.privately);
  await postFiles(deps, call, Readable.from(skillFile(review, locale)), {
    id: `skill-${eventId}`,
    nameOf: (number) => `${name}${number}.txt`,
    mediaType: "text/plain",
  });
  await noteCard(call, deps, skill);
  const code = approvalCode(review);
  const { sent, toDecide } = locale.skills;
  return {
    ...answer(
      sent(name),
      ...(state === "waiting"
        ? [
            toDecide(
              commandIn(locale, `/skills approve {skill:${name} ${code}}`),
              commandIn(locale, `/skills deny {skill:${name} ${shortApprovalId(version)}}`),
            ),
          ]
        : []),
    ),
    ...decisionButtons(locale, skill, code),
  };
}
