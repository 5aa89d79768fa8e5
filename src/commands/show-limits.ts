import type { CapInUse } from "../limits/limit-service.ts";
import type { Limit, LimitRule, Spender, TurnCaps, Usage } from "../core/limits.ts";
import { isAtLeast } from "../core/roles.ts";
import { knownNames } from "../access/known-names.ts";
import { quotedTitle } from "../access/place-name.ts";
import { limitedChat } from "../core/limit-scopes.ts";
import {
  amountPhrase,
  limitPhrase,
  whoseLimit,
  whoseLimitIsSet,
} from "../locales/limit-sentence.ts";
import { visible } from "../text/visible-text.ts";
import { momentIn } from "../locales/moment.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, type CommandAnswer, type CommandCall, type CommandDeps } from "./command.ts";
import { listedScope } from "./limit-scope.ts";

/** `/limits`: what holds for the asker in this chat, and how much of it is used. */
export async function showLimits(
  call: CommandCall,
  deps: Pick<CommandDeps, "limitService" | "pairing">,
): Promise<CommandAnswer> {
  const { limitService } = deps;
  const { limits } = call.locale;
  const lines = (await limitLines(call, { limitService })).map((line) => `• ${line}`);
  const mayChange = isAtLeast(call.role, "admin");
  return answer(
    ...(lines.length === 0 ? [limits.none] : [limits.heading, ...lines]),
    ...(mayChange ? ["", ...(await setLines(call, deps)), limits.how] : []),
  );
}

/**
 * The limits that hold for a person in a chat, and how much of them is used.
 * @param name of the person, where someone else reads it.
 */
export async function limitLines(
  asker: Spender & Pick<CommandCall, "locale">,
  { limitService }: Pick<CommandDeps, "limitService">,
  name?: string,
): Promise<readonly string[]> {
  const { atMs, caps, turn } = await limitService.effective(asker);
  return [
    ...caps.map((cap) => capLine(cap, { ...asker, name }, atMs)),
    ...turnLimits(turn).map((limit) => limitPhrase(limit, asker.locale)),
  ];
}

/** More lines than these are no news any more; each scope shows its own when it is set. */
const maxSetLines = 20;

/** The limits that admins have set, complete: by name, and what to type where that isn't the name. */
async function setLines(
  { chat, locale }: Pick<CommandCall, "chat" | "locale">,
  { limitService, pairing }: Pick<CommandDeps, "limitService" | "pairing">,
): Promise<readonly string[]> {
  const { limits } = locale;
  const rules = await limitService.allSet();
  if (rules.length === 0) return [];
  const nameOf = await knownNames(pairing.people, {
    ids: rules.map(({ scope }) => listedScope(scope)),
    people: new Map(),
  });
  const whose = ({ scope }: LimitRule): string => {
    if (scope.kind === "chat" && scope.chat === limitedChat(chat)) return limits.whose.thisChat;
    const id = listedScope(scope);
    const name = nameOf(id);
    const shown = scope.kind === "chat" ? quotedTitle : visible;
    return whoseLimitIsSet(scope, name === undefined ? id : `${shown(name)} (${id})`, locale);
  };
  const lines = rules
    .map((rule) => `• ${limitPhrase(rule.limit, locale)} (${whose(rule)})`)
    .toSorted((one, other) => one.localeCompare(other));
  const more = lines.length - maxSetLines;
  return [
    limits.setHeading,
    ...lines.slice(0, maxSetLines),
    ...(more > 0 ? [limits.more(more)] : []),
    "",
  ];
}

function capLine(
  { cap, used, resetsAtMs }: CapInUse,
  {
    locale: words,
    person,
    name,
  }: Pick<CommandCall, "locale" | "person"> & { name: string | undefined },
  atMs: number,
): string {
  const { limits } = words;
  const { metric } = cap.limit;
  const state =
    resetsAtMs === undefined
      ? limits.running(used)
      : limits.used(amountPhrase(metric, used, words), momentIn(person.language, resetsAtMs, atMs));
  const whose =
    name !== undefined && cap.scope.kind === "person"
      ? limits.ofPerson(name)
      : whoseLimit(cap.scope, words);
  return `${limitPhrase(cap.limit, words)} (${whose}) – ${state}`;
}

const turnLimits = (caps: TurnCaps): readonly Limit[] => [
  ...ofTurn("model-calls", caps.maxModelCalls),
  ...ofTurn("tool-executions", caps.maxToolExecutions),
  ...ofTurn("deadline", caps.deadlineMs),
  ...ofTurn("tokens", caps.maxTokens),
  ...ofTurn("cost", caps.maxCostUsd),
];

const ofTurn = (metric: Limit["metric"], max: number | undefined): readonly Limit[] =>
  max === undefined ? [] : [{ metric, per: "turn", max }];

/** The asker's usage of today and this month, and for admins everyone's. */
export async function usedLines(
  { person, role, locale }: CommandCall,
  { limitService }: Pick<CommandDeps, "limitService">,
): Promise<readonly string[]> {
  const { limits } = locale;
  const isAdmin = isAtLeast(role, "admin");
  const [own, all] = await Promise.all([
    limitService.usage({ person }),
    isAdmin ? limitService.usage("everybody") : undefined,
  ]);
  const said = (used: typeof own.day): string => amountsText(used, locale);
  return [
    limits.yoursToday(said(own.day)),
    limits.yoursThisMonth(said(own.month)),
    ...(all === undefined
      ? []
      : [limits.allToday(said(all.day)), limits.allThisMonth(said(all.month))]),
  ];
}

/** What was used. Without a cost of 0: models without a price aren't free. */
export function amountsText(
  { messages, tokens, costUsd }: Usage,
  { usage, money }: Locale,
): string {
  const spent = usage.spent(messages, tokens);
  return costUsd === 0 ? spent : `${spent}, ${money(costUsd)}`;
}
