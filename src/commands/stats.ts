import { pauseScopes } from "../core/pause.ts";
import { exactSpan } from "../locales/span.ts";
import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";
import { moment } from "./moment.ts";
import type { Spent } from "./ports.ts";
import { amountsText } from "./show-limits.ts";

/** `/stats`: how the deployment is doing. */
export const statsCommand: Command = {
  spec: {
    ...described("stats", ({ stats }) => stats.description),
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run({ locale }, { figures }) {
    const found = await figures();
    const { stats, pause } = locale;
    const minutes = Math.max(1, Math.floor(found.uptimeMs / 60_000)) * 60_000;
    const spent = (used: Spent): string => amountsText(used, locale);
    return answer(
      ...pauseScopes.flatMap((scope) => {
        const each = found.pauses[scope];
        return each === undefined ? [] : [pause.sinceOf(pause.scopes[scope], moment(each.sinceMs))];
      }),
      stats.chats(found.chats.today, found.chats.thisMonth),
      stats.today(spent(found.spent.today)),
      stats.thisMonth(spent(found.spent.thisMonth)),
      stats.turns(found.turns.active, found.turns.waiting),
      stats.deliveries(found.deliveries),
      stats.deadLetters(found.deadLetters),
      stats.running(found.version, exactSpan(minutes, locale.cards)),
    );
  },
};
