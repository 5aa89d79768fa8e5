import type { Spending } from "../core/turn.ts";
import { usd } from "./amounts.ts";
import { answer, type Command } from "./command.ts";

export const usageCommand: Command = {
  spec: {
    name: "usage",
    description: "What this chat has used, by model, and what it cost",
  },
  role: "member",
  isPrivate: true,
  async run({ chat }, { status }) {
    const { usage } = await status(chat);
    const models = Object.entries(usage.models);
    return answer(
      "This chat has used:",
      `turns: ${usage.turns}`,
      `model calls: ${usage.modelCalls}`,
      `input tokens: ${usage.inputTokens}`,
      `output tokens: ${usage.outputTokens}`,
      ...models.map(([model, spent]) => modelLine(model, spent)),
      ...(models.length === 0
        ? []
        : [`cost: ${totalOf(models.map(([, spent]) => spent))}`]),
    );
  },
};

/** `about` where a part was counted by us: not every model says what it has used. */
const about = ({ estimated }: Pick<Spending, "estimated">): string =>
  estimated ? "about " : "";

function modelLine(model: string, spent: Spending): string {
  const { requests, inputTokens, outputTokens, costUsd } = spent;
  const cost =
    costUsd === undefined ? "cost unknown" : `${about(spent)}${usd(costUsd)}`;
  return `${model}: ${requests} ${requests === 1 ? "request" : "requests"}, ${about(spent)}${inputTokens} input and ${outputTokens} output tokens, ${cost}`;
}

function totalOf(spent: readonly Spending[]): string {
  const priced = spent.filter(({ costUsd }) => costUsd !== undefined);
  if (priced.length === 0) return "unknown";
  const sum = priced.reduce((total, { costUsd = 0 }) => total + costUsd, 0);
  const estimated = priced.some((each) => each.estimated);
  const rest =
    priced.length < spent.length ? ", and what has no known price" : "";
  return `${about({ estimated })}${usd(sum)}${rest}`;
}
