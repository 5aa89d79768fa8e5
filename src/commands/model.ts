import type { Locale } from "../locales/locale.ts";
import { choiceCommand, type Found } from "./choice-command.ts";
import { effectiveChain } from "./choice.ts";
import { typed, type CommandDeps } from "./command.ts";
import { described } from "./menu.ts";

/** Names in one answer. */
const maxListed = 10;

/** `/model [part of a name] [chat|me]` */
export const modelCommand = choiceCommand({
  kind: "model",
  spec: described("model", ({ model }) => model.description),
  argument: described("model", ({ model }) => model.model),
  find: findModel,
  exists: (key, { keys }) => keys.includes(key),
  offered: ({ keys }) => keys,
  shownAs: (key) => key,
  details: (models, effective, { order }) => [order(effectiveChain(effective, models))],
});

/** A whole name counts more than a part of one: `gpt-5` is not `gpt-5-mini`. */
export function findModel(
  text: string,
  { models: { keys }, nearest }: Pick<CommandDeps, "models" | "nearest">,
  words: Locale["choices"],
): Found {
  const wanted = text.toLowerCase();
  const parts = wanted.split(" ");
  const matches = [
    keys.filter((key) => key.toLowerCase() === wanted),
    keys.filter((key) => nameOf(key).toLowerCase() === wanted),
    keys.filter((key) => parts.every((part) => key.toLowerCase().includes(part))),
  ].find((found) => found.length > 0);
  if (matches === undefined) {
    const near = nearest(text, [...keys, ...keys.map(nameOf)]);
    const hint = near === undefined ? words.thereAre(listed(keys, words)) : words.didYouMean(near);
    return { problem: [`${words.noModel(typed(text))} ${hint}`] };
  }
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return { value: only };
  return {
    problem: [words.several(typed(text), listed(matches, words))],
  };
}

/** Without the provider. */
const nameOf = (key: string): string => key.slice(key.indexOf("/") + 1);

const listed = (keys: readonly string[], { andMore }: Locale["choices"]): string =>
  keys.length > maxListed
    ? andMore(keys.slice(0, maxListed).join(", "), keys.length - maxListed)
    : keys.join(", ");
