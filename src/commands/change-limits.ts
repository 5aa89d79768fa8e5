import type { LimitChanged } from "../limits/limit-service.ts";
import { limitedChat, scopeName } from "../core/limit-scopes.ts";
import {
  limitExamples,
  periodsOf,
  plainNames,
  readLimitMetric,
  readLimits,
} from "../text/limit-text.ts";
import { limitMetrics, type Limit, type LimitMetric, type Per } from "../core/limits.ts";
import { isAtLeast } from "../core/roles.ts";
import { limitPhrase, shownLimit, whoseLimitIsSet } from "../locales/limit-sentence.ts";
import type { Locale } from "../locales/locale.ts";
import {
  answer,
  typed,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { findScope, type NamedScope } from "./limit-scope.ts";
import type { LimitRequest } from "./limit-request.ts";

const metrics = Object.keys(limitMetrics) as readonly LimitMetric[];

/** Sets or resets limits for who may, and says what held before and what holds now. */
export async function changeLimits(
  call: CommandCall,
  deps: CommandDeps,
  request: LimitRequest,
): Promise<CommandAnswer> {
  const found = await findScope(call, deps, request.scope);
  const isOfThisChat =
    found.type === "found" &&
    found.scope.kind === "chat" &&
    found.scope.chat === limitedChat(call.chat);
  const needed = isOfThisChat ? call.chatRole : call.role;
  // Check the role before explaining anything: users without it learn nothing
  // about others' limits.
  if (!isAtLeast(needed, "admin")) return await refuse(call, deps, request);
  if (found.type === "problem") return answer(found.text);
  const isIncomplete = request.action === "set" && (request.metric === "" || request.value === "");
  if (isIncomplete) return answer(call.locale.limits.how);
  const metric = readLimitMetric(request.metric);
  const isAll = request.action === "reset" && request.metric === "";
  if (isAll) return await reset(call, deps, { found, which: metrics });
  if (metric === undefined)
    return answer(
      call.locale.limits.badMetric(typed(request.metric), Object.values(plainNames).join(", ")),
    );
  return request.action === "reset"
    ? await reset(call, deps, { found, which: [metric] })
    : await set(call, deps, { found, metric, value: request.value });
}

async function refuse(
  { eventId, person, chat, chatRole, locale: { limits } }: CommandCall,
  { audit }: CommandDeps,
  { action, scope, metric, value }: LimitRequest,
): Promise<CommandAnswer> {
  await audit.write(eventId, {
    action: "attempt-denied",
    by: person,
    chat,
    target: "/limits",
    outcome: "not-allowed",
    details: { asked: [action, scope, metric, value].join(" ").trim() },
  });
  const isChatAdmin = isAtLeast(chatRole, "admin");
  return answer(isChatAdmin ? limits.adminsOfAll : limits.adminsOnly);
}

async function set(
  call: CommandCall,
  deps: CommandDeps,
  {
    found,
    metric,
    value,
  }: {
    readonly found: NamedScope;
    readonly metric: LimitMetric;
    readonly value: string;
  },
): Promise<CommandAnswer> {
  const { limits } = call.locale;
  const read = readLimits(metric, value);
  if (read === undefined) {
    const pers = periodsOf(metric);
    const [name, example] = [plainNames[metric], limitExamples[metric]];
    return answer(
      pers.length === 1
        ? limits.badAmount(typed(value), example)
        : limits.badValue(typed(value), name, example, pers.join(", ")),
    );
  }
  const changed = await deps.limitService.set(eventOf(call), found.scope, read);
  await record(call, deps, { action: "limit-set", found, changed });
  return saidOf(changed, limits.isNow, { found, call });
}

async function reset(
  call: CommandCall,
  deps: CommandDeps,
  { found, which }: { readonly found: NamedScope; readonly which: readonly LimitMetric[] },
): Promise<CommandAnswer> {
  const { limits } = call.locale;
  const limited = which.flatMap((metric) =>
    limitMetrics[metric].map((per: Per) => ({ metric, per })),
  );
  const changed = await deps.limitService.reset(eventOf(call), found.scope, limited);
  if (changed.length === 0) return answer(limits.nothingSet(whoseOf(call, found)));
  await record(call, deps, { action: "limit-reset", found, changed });
  return saidOf(changed, limits.isReset, { found, call });
}

const saidOf = (
  changed: readonly LimitChanged[],
  say: (scope: string, now: string, before: string) => string,
  { found, call }: { readonly found: NamedScope; readonly call: CommandCall },
): CommandAnswer =>
  answer(
    ...changed.map((each) =>
      say(
        whoseOf(call, found),
        phraseOf(each, each.now, call.locale),
        phraseOf(each, each.before, call.locale),
      ),
    ),
  );

/** Events have ids that are unique in their own chat only. */
const eventOf = ({ chat, eventId }: CommandCall): string => `${chat}:${eventId}`;

const whoseOf = (
  { chat, locale }: Pick<CommandCall, "chat" | "locale">,
  { scope, shown }: NamedScope,
): string =>
  scope.kind === "chat" && scope.chat === limitedChat(chat)
    ? locale.limits.whose.thisChat
    : whoseLimitIsSet(scope, shown, locale);

const phraseOf = (
  { metric, per }: Pick<Limit, "metric" | "per">,
  max: number | undefined,
  locale: Locale,
): string => (max === undefined ? locale.limits.notSet : limitPhrase({ metric, per, max }, locale));

/** As it is typed: the same words in every log. */
const typedLimit = (
  { metric, per }: Pick<Limit, "metric" | "per">,
  max: number | undefined,
): string => (max === undefined ? "none" : shownLimit({ metric, per, max }));

/** More lines than these are not kept of one entry: then each metric has one. */
const maxDetails = 8;

async function record(
  { eventId, person, chat }: CommandCall,
  { audit }: CommandDeps,
  {
    action,
    found: { scope },
    changed,
  }: {
    readonly action: "limit-set" | "limit-reset";
    readonly found: NamedScope;
    readonly changed: readonly LimitChanged[];
  },
): Promise<void> {
  const isLong = changed.length > maxDetails;
  const details: Record<string, string> = {};
  for (const each of changed) {
    const name = isLong ? each.metric : `${each.metric}/${each.per}`;
    const said = `${typedLimit(each, each.before)} → ${typedLimit(each, each.now)}`;
    details[name] = name in details ? `${details[name]}, ${said}` : said;
  }
  await audit.write(eventId, {
    action,
    by: person,
    chat,
    // A person is found by their id alone.
    target: (scope.kind === "person" && scope.id) || scopeName(scope),
    outcome: "done",
    details,
  });
}
