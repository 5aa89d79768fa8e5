import type { Spending } from "../core/turn.ts";
import type { Locale } from "../locales/locale.ts";
import type { ChatStatus } from "../store/turns/chat-status.ts";
import { answer, type Command } from "./command.ts";
import { usedLines } from "./show-limits.ts";
import { described } from "./menu.ts";

type UsageWords = Locale["usage"];

export const usageCommand: Command = {
  spec: described("usage", (menu) => menu.usage.description),
  role: "guest",
  isPrivate: true,
  async run(call, { status, limitService }) {
    const words = call.locale.usage;
    const [{ usage }, used] = await Promise.all([
      status(call.chat),
      usedLines(call, { limitService }),
    ]);
    return answer(words.heading, ...usageLines(usage, call.locale), ...used);
  },
};

/** What a chat has used, also by model. */
export function usageLines(usage: ChatStatus["usage"], locale: Locale): readonly string[] {
  const { usage: words } = locale;
  const models = Object.entries(usage.models);
  const spent = models.map(([, each]) => each);
  return [
    words.turns(usage.turns),
    words.modelCalls(usage.modelCalls),
    words.inputTokens(usage.inputTokens),
    words.outputTokens(usage.outputTokens),
    ...models.map(([model, each]) => modelLine(model, each, locale)),
    ...(models.length === 0 ? [] : [words.cost(totalOf(spent, locale))]),
  ];
}

/** `about` if a part is our own count: not every model reports its usage. */
const about = (
  { estimated }: Pick<Spending, "estimated">,
  amount: string,
  words: UsageWords,
): string => (estimated ? words.about(amount) : amount);

function modelLine(
  model: string,
  spent: Spending,
  { usage: words, number, money }: Locale,
): string {
  const { requests, inputTokens, outputTokens, costUsd } = spent;
  const cost = costUsd === undefined ? words.costUnknown : about(spent, money(costUsd), words);
  const input = about(spent, number(inputTokens), words);
  return `${model}: ${words.model(requests, input, number(outputTokens))}, ${cost}`;
}

function totalOf(spent: readonly Spending[], { usage: words, money }: Locale): string {
  const priced = spent.filter(({ costUsd }) => costUsd !== undefined);
  if (priced.length === 0) return words.unknown;
  const sum = priced.reduce((total, { costUsd = 0 }) => total + costUsd, 0);
  const estimated = priced.some((each) => each.estimated);
  const total = about({ estimated }, money(sum), words);
  return priced.length < spent.length ? words.andUnpriced(total) : total;
}
