import { applyBroadcast } from "../commands/broadcast.ts";
import { applyForget } from "../commands/forget.ts";
import { applyPick } from "../commands/picker.ts";
import { isSample, samples } from "../commands/samples.ts";
import { shownSetting } from "../commands/setting-buttons.ts";
import { applySkill } from "../commands/skills.ts";
import { applySetting } from "../commands/settings.ts";
import type { InboundTap } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { auditDenied } from "./check-access.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";
import { buttonOf } from "./tap.ts";

type Apply =
  | typeof applyPick
  | typeof applySetting
  | typeof applyForget
  | typeof applyBroadcast
  | typeof applySkill;

/** By the buttons' kind. A sample that is no longer offered counts as an unknown pick. */
const choices = new Map<string, Apply>([
  ["t", applyPick],
  ["m", applyPick],
  ["s", applyPick],
  ["st", applySetting],
  ["sv", applySetting],
  ["f", applyForget],
  ["bc", applyBroadcast],
  ["sk", applySkill],
]);

/** Guests get answers, but can't choose the model or tier, or change a setting. */
const membersOnly: ReadonlySet<string> = new Set(["t", "m", "st", "sv", "sk"]);

/**
 * A tap below `/tier`, `/model`, `/settings`, `/skills`, `/forget`, `/broadcast` or `/start`. Everyone who may talk to the
 * bot chooses for themselves, even in a picker that another person opened; only the requester can
 * confirm an erasure.
 */
export async function tapChoice(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Outcome | undefined> {
  const { inbound, chat, role, preference, locale } = arrived;
  const { data, person, direct, notAfterMs = Infinity } = inbound;
  const { kind } = buttonOf(data);
  const apply = choices.get(kind);
  if (apply === undefined) return undefined;
  const needed = membersOnly.has(kind) ? "member" : "guest";
  if (!isAtLeast(role, needed) && !isAtLeast(await arrived.chatRole(), needed))
    return {
      type: "refused",
      text: isAtLeast(role, "guest") ? locale.platform.notAllowed : locale.ingress.notAllowed,
    };
  // They were asked to tap again, and may have changed their mind.
  if (deps.now() > notAfterMs) return { type: "refused", text: locale.ingress.tapTooLate };
  const sample = isSample(data) ? samples[data] : undefined;
  if (sample?.type === "question") return typedText(arrived, sample.textIn(locale));
  if (sample !== undefined) return typedCommand(arrived, sample.name, "");
  const setting = shownSetting(data);
  // In a Discord server, as after the command itself, for the person alone.
  if (setting !== undefined)
    return typedCommand(arrived, "settings", setting, {
      answersItself: inbound.address.platform === "discord" && !direct,
    });
  const tooMany = arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const chatRole = await arrived.chatRole();
  const chooser = { person, chat, direct, role, chatRole, preference, locale };
  if (kind === "bc" && !isAtLeast(role, "owner")) await auditDenied(deps, arrived, "button bc");
  const outcome = await apply(deps, chooser, data);
  if (outcome === undefined) return undefined;
  const { isAllowed, text } = outcome;
  return isAllowed ? { type: "answered", text, isPrivate: true } : { type: "refused", text };
}

/**
 * The same as if the person had typed it. It has the tap's id, so that a repeated delivery asks
 * only once.
 */
export const typedText = (arrived: Arrived<InboundTap>, text: string): Outcome => ({
  type: "typed",
  inbound: { ...sentBy(arrived), type: "message", text },
});

export const typedCommand = (
  arrived: Arrived<InboundTap>,
  name: string,
  argument: string,
  { answersItself = false } = {},
): Outcome => ({
  type: "typed",
  inbound: { ...sentBy(arrived), type: "command", name, argument, answersItself },
});

function sentBy({ inbound }: Arrived<InboundTap>) {
  const { id, address, guild, threadOf, person, direct, atMs, messageId } = inbound;
  return {
    id,
    address,
    ...(guild === undefined ? {} : { guild }),
    ...(threadOf === undefined ? {} : { threadOf }),
    person,
    direct,
    atMs,
    ...(messageId === undefined ? {} : { messageId }),
  };
}
