import { unreachable } from "../core/errors.ts";
import { limitText, usedText } from "../text/limit-text.ts";
import type { Limit, LimitHit, LimitScope } from "../core/limits.ts";
import { momentIn } from "./moment.ts";
import { localeFor } from "./locale-for.ts";
import type { Locale } from "./locale.ts";

/** A limit as it is typed behind its scope: `messages 20/min`, `cost 5usd/day`, `turns 3`. */
export const shownLimit = (limit: Limit): string => `${limit.metric} ${limitText(limit)}`;

/** Whose limit it is, for somebody to whom it applies. */
export function whoseLimit(scope: LimitScope, { limits }: Pick<Locale, "limits">): string {
  switch (scope.kind) {
    case "person":
      return limits.whose.you;
    case "role":
      return limits.role(scope.role);
    case "chat":
      return limits.whose.thisChat;
    case "platform":
      return limits.platform(scope.platform);
    case "global":
      return limits.whose.everybody;
    default:
      return unreachable(scope);
  }
}

/**
 * Why something is refused: the limit, how much of it is used, what would have been needed where
 * some is left, and when it resets.
 * @param reader their language as a BCP 47 tag, and the time, in milliseconds since the epoch.
 */
export function limitSentence(
  { scope, limit, used, needs, resetsAtMs }: LimitHit,
  reader: { readonly language?: string | undefined; readonly nowMs: number },
): string {
  const locale = localeFor(reader.language);
  const { limits } = locale;
  const said = [
    limits.hit(shownLimit(limit), whoseLimit(scope, locale), usedText(limit.metric, used)),
  ];
  if (needs !== undefined && used < limit.max)
    said.push(limits.needs(usedText(limit.metric, needs)));
  if (resetsAtMs !== undefined)
    said.push(limits.resets(momentIn(reader.language, resetsAtMs, reader.nowMs)));
  return said.join(" ");
}
