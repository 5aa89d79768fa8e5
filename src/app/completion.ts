import type { Access } from "../access/access.ts";
import { waitingCards } from "../access/waiting-cards.ts";
import type { LimitReaders, ModelChoices } from "../commands/command.ts";
import { settingKinds, type SettingName } from "../commands/setting-values.ts";
import { shortApprovalId } from "../core/approval.ts";
import {
  activations,
  toolDisplays,
  whileBusyModes,
} from "../core/chat-settings.ts";
import type { Completion } from "../core/ports.ts";
import type { ApprovalStore } from "../store/approvals.ts";

type Typing = Parameters<Completion["complete"]>[0];
type Candidates = (
  typing: Typing,
) => readonly string[] | Promise<readonly string[]>;

/** What a platform shows at once. */
const maxSuggestions = 25;

/** Values that a setting may have; each setting says itself which of them are its own. */
const values = [
  "on",
  "off",
  ...whileBusyModes,
  ...toolDisplays,
  ...activations,
  "1",
  "2",
  "3",
  "5",
  "10",
  "20",
  "50",
  "100",
  "200",
  "1m",
  "5m",
  "15m",
  "30m",
  "1h",
  "10k",
  "50k",
  "100k",
  "500k",
  "0.10usd",
  "0.50usd",
  "1usd",
  "5usd",
  "20usd",
];

/**
 * Suggests to those who may use the bot what they can type: models by any part of their name, values of settings, and the
 * approvals that wait in the chat.
 */
export function createCompletion({
  access,
  approvals,
  models,
  limits,
}: {
  readonly access: Pick<Access, "profileOf">;
  readonly approvals: Pick<ApprovalStore, "shownOf">;
  readonly models: Pick<ModelChoices, "keys">;
  readonly limits: LimitReaders;
}): Completion {
  const waiting: Candidates = async ({ asker }) =>
    waitingCards(await approvals.shownOf(asker.chat)).flatMap(({ ids }) => {
      const id = shortApprovalId(ids[0]);
      return ids.length === 1
        ? [id]
        : [id, ...ids.map((_, index) => `${id}.${index + 1}`)];
    });
  const offered: Readonly<Record<string, Candidates>> = {
    "approve id": waiting,
    "deny id": waiting,
    "model model": () => [...models.keys, "default"],
    "settings value": ({ given, typed }) => {
      const name = Object.keys(settingKinds).find(
        (each): each is SettingName =>
          each.toLowerCase() === given["name"]?.toLowerCase(),
      );
      if (name === undefined) return [];
      const fits = (value: string) =>
        "stored" in settingKinds[name].read(value, limits);
      const own = fits(typed) ? [typed] : [];
      return [...new Set([...own, ...values.filter(fits), "default"])];
    },
  };
  return {
    offers: (command, argument) => `${command} ${argument}` in offered,
    async complete(typing) {
      const { asker, command, argument, typed } = typing;
      const candidates = offered[`${command} ${argument}`];
      if (candidates === undefined) return [];
      const { role } = await access.profileOf(asker.person);
      if (role !== "admin" && role !== "member") return [];
      const parts = typed.toLowerCase().split(/\s+/);
      return (await candidates(typing))
        .filter((value) =>
          parts.every((part) => value.toLowerCase().includes(part)),
        )
        .slice(0, maxSuggestions);
    },
  };
}
