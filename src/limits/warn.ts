import type { Logger } from "pino";
import { scopeName } from "../core/limit-scopes.ts";
import type { Spender } from "../core/limits.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { UsageWarning } from "../store/limits/limit-replies.ts";
import type { PeopleStore } from "../store/people/people.ts";
import { amountPhrase, limitPhrase, whoseLimit } from "../locales/limit-sentence.ts";
import { momentIn } from "../locales/moment.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import { describePerson } from "../access/describe-person.ts";
import { chatName } from "../access/place-name.ts";
import { notifyAllAdmins, type NotifyAllAdminsDeps } from "../access/notify-admins.ts";

export interface WarnDeps extends NotifyAllAdminsDeps {
  readonly people: NotifyAllAdminsDeps["people"] & Pick<PeopleStore, "knownPeople">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * Notifies the spending chat and the admins that a limit is nearly used up, each once: the entry's
 * id contains the window, the limit and the percentage. A failed notice is only logged, since the
 * call is already counted.
 */
export async function warn(
  deps: WarnDeps,
  spender: Spender,
  warnings: readonly UsageWarning[],
): Promise<void> {
  for (const warning of warnings) {
    try {
      await Promise.all([
        notifySpender(deps, spender, warning),
        notifyOthers(deps, spender, warning),
      ]);
    } catch (error) {
      const { scope, limit } = warning.cap;
      deps.log.error(
        { error, scope: scopeName(scope), limit },
        "could not warn anyone that a limit is nearly used up",
      );
    }
  }
}

async function notifySpender(
  deps: WarnDeps,
  spender: Spender,
  warning: UsageWarning,
): Promise<void> {
  const { person, chat, replyTo } = spender;
  const { language } = person;
  const locale = localeFor(language, chat);
  const whose = whoseLimit(warning.cap.scope, locale);
  await deps.post(chat, {
    ...notice(warning, spender, { locale, language, whose, nowMs: deps.now() }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...spokenIn(language),
  });
}

async function notifyOthers(
  deps: WarnDeps,
  { person, chat: spending }: Spender,
  warning: UsageWarning,
): Promise<void> {
  const { scope } = warning.cap;
  const spendersChat = scope.kind === "chat" ? await chatName(deps.people, spending) : "";
  await notifyAllAdmins(deps, spending, (locale, { chat, language }) => {
    // The person who spends has the notice in that chat already.
    if (chat === spending) return undefined;
    const whose =
      scope.kind === "person" || scope.kind === "role"
        ? locale.limits.ofPerson(describePerson(person))
        : scope.kind === "chat"
          ? locale.limits.ofChat(spendersChat)
          : whoseLimit(scope, locale);
    const nowMs = deps.now();
    const who = { person, chat: spending };
    const said = notice(warning, who, { locale, language, whose, nowMs });
    // Yields to all other messages, since a crowd can cause many warnings.
    return { ...said, patient: true };
  });
}

function notice(
  { cap: { counter, scope, limit }, percent, used, span }: UsageWarning,
  { person, chat }: Spender,
  reader: {
    readonly locale: Locale;
    readonly language: string | undefined;
    readonly whose: string;
    readonly nowMs: number;
  },
): OutboxEntry & { readonly kind: "notice" } {
  const { locale } = reader;
  const { limits } = locale;
  const shown = limitPhrase(limit, locale);
  const amount = amountPhrase(limit.metric, used, locale);
  // One call may pass several of the percentages that are warned of.
  const share = limit.max > 0 ? Math.min(100, Math.floor((100 * used) / limit.max)) : percent;
  const said =
    reader.whose === limits.whose.you
      ? limits.nearlyYours(share, shown, amount)
      : limits.nearly(share, shown, reader.whose, amount);
  const when = momentIn(reader.language, span.endMs, reader.nowMs);
  // Admins get everyone's warnings; a person gets only their own.
  const whose = { person: person.id, chat, platform: "", global: "" }[counter];
  const name = [counter, whose, scopeName(scope), limit.metric, limit.per]
    .join("-")
    // Only private answers have a colon in their ids.
    .replaceAll(":", ".");
  return {
    kind: "notice",
    v: 1,
    id: `limit-${name}-${span.startMs}-${limit.max}-${percent}`,
    text: `${said} ${limits.resets(when)}`,
  };
}
