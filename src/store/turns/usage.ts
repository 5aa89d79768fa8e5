import type { ChatKey } from "../../core/chat.ts";
import type { Spending } from "../../core/turn.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** More than one commit can have used: such a figure is a mistake somewhere, and is not counted. */
const maxCount = 1e12;
const maxUsd = 1e9;

/**
 * What a commit adds to the hash `use:<chat>`, as pairs of field and amount:
 * `requests <model>`, `in <model>`, `out <model>`, `usd <model>`, and
 * `estimated <model>`, a mark without an amount. Invalid amounts are left out.
 */
export function spendingPairs(
  models: Readonly<Record<string, Spending>>,
): [field: string, amount: string][] {
  return Object.entries(models).flatMap(([model, spent]) => [
    ...countOf(`requests ${model}`, spent.requests),
    ...countOf(`in ${model}`, spent.inputTokens),
    ...countOf(`out ${model}`, spent.outputTokens),
    ...usdOf(`usd ${model}`, spent.costUsd),
    ...(spent.estimated === true ? [[`estimated ${model}`, ""] satisfies [string, string]] : []),
  ]);
}

const countOf = (field: string, count: number): [string, string][] =>
  count >= 1 && count <= maxCount ? [[field, String(Math.floor(count))]] : [];

/** Zero is an amount, too: its price is known. */
const usdOf = (field: string, usd: number | undefined): [string, string][] =>
  usd !== undefined && usd >= 0 && usd <= maxUsd ? [[field, String(usd)]] : [];

/** A chat's recorded usage, by `provider/model`. */
export async function readUsage(
  { redis }: Store,
  chat: ChatKey,
): Promise<Readonly<Record<string, Spending>>> {
  const fields = new Map(Object.entries(await redis.hgetall(chatKeys(chat).usage)));
  const models = new Set([...fields.keys()].map((field) => field.slice(field.indexOf(" ") + 1)));
  const figure = (field: string): number => {
    const value = Number(fields.get(field) ?? 0);
    return Number.isFinite(value) ? value : 0;
  };
  return Object.fromEntries(
    [...models].sort().map((model): [string, Spending] => [
      model,
      {
        requests: figure(`requests ${model}`),
        inputTokens: figure(`in ${model}`),
        outputTokens: figure(`out ${model}`),
        ...(fields.has(`usd ${model}`) ? { costUsd: figure(`usd ${model}`) } : {}),
        ...(fields.has(`estimated ${model}`) ? { estimated: true } : {}),
      },
    ]),
  );
}
