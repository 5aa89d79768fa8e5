import { platformNames } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { limitText } from "../text/limit-text.ts";
import type { Limit, LimitHit, LimitMetric, LimitScope } from "../core/limits.ts";
import { momentIn } from "./moment.ts";
import { exactSpan } from "./span.ts";
import { localeFor } from "./locale-for.ts";
import type { Locale } from "./locale.ts";

/** A limit as it is typed behind its scope: `messages 20/min`, `cost 5usd/day`, `turns 3`. */
export const shownLimit = (limit: Limit): string => `${limit.metric} ${limitText(limit)}`;

/** Whose limit it is, for somebody to whom it applies. */
export function whoseLimit(
  scope: LimitScope,
  { limits, people }: Pick<Locale, "limits" | "people">,
): string {
  switch (scope.kind) {
    case "person":
      return limits.whose.you;
    case "role":
      return limits.role(people.aRole[scope.role]);
    case "chat":
      return limits.whose.thisChat;
    case "platform":
      return scope.platform === "console"
        ? limits.whose.terminal
        : limits.platform(platformNames[scope.platform]);
    case "global":
      return limits.whose.everybody;
    default:
      return unreachable(scope);
  }
}

/** Whose limit it is, for who sets it. @param name of the person or the chat, if it is of one. */
export function whoseLimitIsSet(scope: LimitScope, name: string, locale: Locale): string {
  const { limits, whoami } = locale;
  switch (scope.kind) {
    case "person":
      return scope.id === undefined ? limits.whose.eachPerson : limits.ofPerson(name);
    case "role":
      return limits.ofEach(whoami.roles[scope.role]);
    case "chat":
      return scope.chat === undefined ? limits.whose.eachChat : limits.ofChat(name);
    default:
      return whoseLimit(scope, locale);
  }
}

/** A limit as people read it: `3 messages a day`, `$5 a month`, `10 model requests per answer`. */
export const limitPhrase = (
  { metric, per, max }: Limit,
  locale: MaxWords & Pick<Locale, "limits">,
): string => {
  const { limits } = locale;
  if (max === Infinity) return limits.per[per](limits.unlimited[metric]);
  const isCount = metric !== "cost" && metric !== "deadline";
  return limits.per[per](isCount ? limits.amount[metric](max) : maxPhrase(metric, max, locale));
};

type AmountWords = Pick<Locale, "number" | "money" | "cards">;
type MaxWords = AmountWords & Pick<Locale, "exactMoney">;

/** The most of a metric, exactly as it was set. */
export const maxPhrase = (metric: LimitMetric, max: number, words: MaxWords): string =>
  metric === "cost" ? words.exactMoney(max) : amountPhrase(metric, max, words);

/** So much of a metric: `1,200`, `$4.98`, `10 min`. */
export function amountPhrase(
  metric: LimitMetric,
  amount: number,
  { number, money, cards }: AmountWords,
): string {
  if (metric === "cost") return money(amount);
  return metric === "deadline" ? exactSpan(amount, cards) : number(amount);
}

/**
 * Why something is refused: the limit, what would have been needed where some is left, and when it
 * resets.
 * @param reader their language as a BCP 47 tag, and the time, in milliseconds since the epoch.
 */
export function limitSentence(
  { scope, limit, used, needs, resetsAtMs }: LimitHit,
  reader: { readonly language?: string | undefined; readonly nowMs: number },
): string {
  const locale = localeFor(reader.language);
  const { limits } = locale;
  const { metric, max } = limit;
  const shown = limitPhrase(limit, locale);
  const whose = whoseLimit(scope, locale);
  const amount = (count: number): string => amountPhrase(metric, count, locale);
  const hit = scope.kind === "person" ? limits.hitYours(shown) : limits.hit(shown, whose);
  return [
    needs !== undefined && used < max
      ? limits.needs(amount(needs), amount(used), shown, whose)
      : hit,
    ...(resetsAtMs === undefined
      ? []
      : [limits.resets(momentIn(reader.language, resetsAtMs, reader.nowMs))]),
  ].join(" ");
}
