import type { Command, CommandAnswer } from "../commands/command.ts";
import { descriptionIn, usageOf } from "../commands/menu.ts";
import { isBlank } from "../text/blank.ts";
import { isAtLeast } from "../core/roles.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";
import type { Locale } from "../locales/locale.ts";
import { auditDenied, refuseUnknown } from "./check-access.ts";
import type { AcceptDeps, Arrived, ArrivedCommand } from "./deps.ts";
import type { InboundCommand } from "../core/inbound.ts";
import { callOf } from "./call-of.ts";
import { countUnlimited } from "./message-limit.ts";
import type { Outcome } from "./outcome.ts";
import { leaveDrafting } from "./persona.ts";
import { commandIn } from "../locales/locale-for.ts";

export function refuseUnknownName(
  { commands, nearest }: AcceptDeps,
  { inbound: { name }, role, locale }: Arrived<InboundCommand>,
): Outcome {
  const names = commands
    .filter((command) => isAtLeast(role, command.role))
    .flatMap(({ spec }) => [spec.name, ...(spec.aliases ?? [])]);
  const guess = nearest(name.slice(0, 32).toLowerCase(), names);
  const { ingress, choices } = locale;
  const hint = guess === undefined ? [] : [choices.didYouMean(commandIn(locale, `/${guess}`))];
  return {
    type: "reply",
    text: [ingress.noCommand(name.slice(0, 32).toWellFormed()), ...hint].join(" "),
  };
}

/** Refuses a command that the person may not use. */
export async function refuseDenied(
  deps: AcceptDeps,
  arrived: ArrivedCommand,
): Promise<Outcome | undefined> {
  const { command, role, locale } = arrived;
  const isAllowed = await mayUse(arrived);
  if (!isAllowed && isAtLeast(command.role, "admin"))
    await auditDenied(deps, arrived, `/${command.spec.name}`);
  if (command.role !== "stranger" || role === "banned") {
    const refusal = await refuseUnknown(deps, arrived);
    if (refusal) return refusal;
  }
  return isAllowed ? undefined : { type: "reply", text: whoMayUse(command, locale) };
}

/**
 * A group's own administrator may use members' commands even as a guest, but not admins' commands.
 */
const mayUse = async ({
  role,
  chatRole,
  command: { role: needed },
}: ArrivedCommand): Promise<boolean> =>
  isAtLeast(role, needed) || (needed === "member" && isAtLeast(await chatRole(), needed));

function whoMayUse({ role, spec }: Command, { ingress }: Locale): string {
  if (role === "owner") return ingress.ownersOnly(spec.name);
  return isAtLeast(role, "admin") ? ingress.adminsOnly(spec.name) : ingress.membersOnly(spec.name);
}

/** Shows a command's syntax if its argument is missing. */
export function explainUsage(
  _: AcceptDeps,
  { inbound: { argument }, command: { spec }, locale }: ArrivedCommand,
): Outcome | undefined {
  const [needed] = spec.arguments ?? [];
  if (!needed?.required || !isBlank(argument)) return undefined;
  if (spec.name === "auto") return { type: "reply", text: locale.auto.noGoal };
  const description = descriptionIn(needed, locale);
  return { type: "reply", text: `${usageOf(spec, locale)}: ${description}.` };
}

/** Runs a command in this process, whatever the workers do. */
export async function runCommand(deps: AcceptDeps, arrived: ArrivedCommand): Promise<Outcome> {
  const { inbound, chat, role, command } = arrived;
  const { id: eventId } = inbound;
  const call = await callOf(arrived);
  const [{ atMostOnce, ...said }] = await Promise.all([
    command.run(call, deps),
    countUnlimited(deps, arrived),
  ]);
  const left = await leaveDrafting(deps, arrived);
  // An answer through the outbox stores the event's id itself.
  if (inbound.answersItself) await deps.inbox.markSeen(chat, eventId);
  if (await isLeftOut(deps, arrived, atMostOnce)) return { type: "refused" };
  return {
    ...said,
    text: [said.text, ...left].join("\n\n"),
    type: "reply",
    ...(command.isPrivate ? { isPrivate: true } : {}),
    ...(isAtLeast(role, "guest") ? {} : { isLowPriority: true }),
  };
}

/**
 * Whether the person has just had an answer of this name. A person who waits for an answer gets it
 * every time.
 */
async function isLeftOut(
  { people }: AcceptDeps,
  { inbound, chat }: ArrivedCommand,
  atMostOnce: CommandAnswer["atMostOnce"],
): Promise<boolean> {
  if (atMostOnce === undefined || inbound.answersItself) return false;
  const { name, perMs } = atMostOnce;
  const told = `${name}:${chat}:${inbound.person.id}`;
  const mayNotify = people
    .mayNotify(told, inbound.id, perMs)
    // The command has taken effect, so its result must be reported.
    .catch(unlessOutOfMemory(true));
  return !(await mayNotify);
}
