import type { Access } from "../access/access.ts";
import { waitingCards } from "../approvals/waiting-cards.ts";
import type { LimitReaders, ModelChoices } from "../commands/command.ts";
import { typedScopes } from "../commands/limit-scope.ts";
import { offeredModes } from "../commands/permissions.ts";
import { settingKinds, settingNames } from "../commands/setting-values.ts";
import { shortApprovalId } from "../core/approval.ts";
import {
  activations,
  compactionStrategies,
  toolDisplays,
  whileBusyModes,
} from "../core/chat-settings.ts";
import { allZones } from "../text/zones.ts";
import { readLimitMetric, readLimits } from "../text/limit-text.ts";
import type { Completion } from "../core/ports.ts";
import { givenRoles, isAtLeast } from "../core/roles.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { Schedules } from "../core/schedule.ts";
import type { SkillReviews } from "../store/operations/skill-reviews.ts";
import { ownersFor } from "../core/persona.ts";
import type { PersonaStore } from "../store/personas/personas.ts";
import type { PeopleStore } from "../store/people/people.ts";

type Typing = Parameters<Completion["complete"]>[0];
type Candidates = (typing: Typing) => readonly string[] | Promise<readonly string[]>;

/** Most suggestions that a platform shows at once. */
const maxSuggestions = 25;

/** People that are searched for one answer. */
const maxPeople = 500;

/** Who is known is for admins to see. */
const forAdmins: ReadonlySet<string> = new Set(["limits"]);

const personaActions = ["new", "edit", "show", "delete", "history"] as const;

/** Candidate values of settings; each setting selects its own. */
const values = [
  "on",
  "off",
  ...whileBusyModes,
  ...toolDisplays,
  ...activations,
  ...compactionStrategies,
  "0.2",
  "0.5",
  "0.7",
  "0.9",
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

/** Candidate values of limits; each metric selects its own. */
const limitValues = [
  "10/min",
  "20/min",
  "100/hour",
  "50/day",
  "100/day",
  "500/day",
  "50k/turn",
  "200k/day",
  "1m/day",
  "10m/month",
  "0.50usd/turn",
  "1usd/day",
  "5usd/day",
  "20usd/month",
  "100usd/month",
  "1",
  "3",
  "10",
  "20",
  "40",
  "5m",
  "15m",
  "30m",
  "1h",
  "off",
];

/**
 * Suggests to those who may use the bot what they can type: models by any part of their name,
 * values of settings, and the approvals that wait in the chat.
 */
export function createCompletion({
  access,
  approvals,
  people,
  personas,
  models,
  skillReviews,
  schedules,
  limits,
}: {
  readonly access: Pick<Access, "profileOf">;
  readonly approvals: Pick<ApprovalStore, "shownOf">;
  readonly people: Pick<PeopleStore, "withRole" | "knownPeople">;
  readonly personas: Pick<PersonaStore, "list">;
  readonly models: Pick<ModelChoices, "keys">;
  readonly skillReviews: Pick<SkillReviews, "list">;
  readonly schedules: Pick<Schedules, "list">;
  readonly limits: LimitReaders;
}): Completion {
  const waiting: Candidates = async ({ asker }) =>
    waitingCards(await approvals.shownOf(asker.chat)).flatMap(({ ids }) => {
      const id = shortApprovalId(ids[0]);
      return ids.length === 1 ? [id] : [id, ...ids.map((_, index) => `${id}.${index + 1}`)];
    });
  const named: Candidates = async () => {
    const ids = await Promise.all(givenRoles.map((role) => people.withRole(role)));
    const known = await people.knownPeople(ids.flat().slice(0, maxPeople));
    return known.map(({ id, username }) => (username === undefined ? id : `@${username}`));
  };
  const offered: Readonly<Record<string, Candidates>> = {
    "limits scope": async (typing) => [...typedScopes, ...(await named(typing))],
    "limits value": ({ given, typed }) => {
      const metric = readLimitMetric(given["metric"] ?? "");
      if (metric === undefined) return [];
      const fits = (text: string) => readLimits(metric, text) !== undefined;
      const own = typed !== "" && fits(typed) ? [typed] : [];
      return [...new Set([...own, ...limitValues.filter(fits)])];
    },
    "approve id": waiting,
    "deny id": waiting,
    "edit id": waiting,
    // A terminal completes the actions in the same place; a menu has them as subcommands.
    "persona name": async ({ asker, given }) => {
      const owners = ownersFor({ chat: asker.chat, personId: asker.person.id });
      const found = (await Promise.all(owners.map((owner) => personas.list(owner)))).flat();
      const names = new Set(found.map(({ ref }) => ref.name));
      return [
        ...names,
        ...(given["action"] === undefined ? personaActions : []),
        ...((given["action"] ?? "pick") === "pick" ? ["default"] : []),
      ];
    },
    "approve always": () => ["30m", "1h", "2h", "8h"],
    "remind when": () => ["in 20m", "in 1h", "today 18:00", "tomorrow 9:00", "every day 9:00"],
    // A terminal completes the actions in the same place; a menu has them as subcommands.
    "schedule action": () => ["list", "run", "pause", "resume", "delete", "zone"],
    "schedule id": async ({ asker: { chat, person } }) =>
      (await schedules.list(chat)).filter(({ by }) => by.id === person.id).map(({ id }) => id),
    "schedule city": allZones,
    "skills skill": async () => (await skillReviews.list()).map(({ name }) => name),
    "skill name": async () =>
      (await skillReviews.list()).flatMap(({ name, state }) =>
        state === "approved" ? [name] : [],
      ),
    "model model": () => [...models.keys, "default"],
    "settings value": ({ given, typed }) => {
      const name = settingNames.find((each) => each.toLowerCase() === given["name"]?.toLowerCase());
      if (name === undefined) return [];
      // What the rules allow is said where it is set.
      if (name === "permissions") return offeredModes({ autoMs: Infinity });
      const fits = (value: string) => "stored" in settingKinds[name].read(value, limits);
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
      const { role } = await access.profileOf(asker.person, asker);
      const needed = forAdmins.has(command) ? "admin" : command === "persona" ? "guest" : "member";
      if (!isAtLeast(role, needed)) return [];
      const parts = typed.toLowerCase().split(/\s+/);
      return (await candidates(typing))
        .filter((value) => parts.every((part) => value.toLowerCase().includes(part)))
        .slice(0, maxSuggestions);
    },
  };
}
