import { choiceCommand, type Found } from "./choice-command.ts";
import { chainInForce } from "./choice.ts";
import { typed, type CommandDeps } from "./command.ts";

/** Names in one answer. */
const maxListed = 10;

/** `/model [part of a name] [chat|me]` */
export const modelCommand = choiceCommand({
  kind: "model",
  description: "Which model is asked first",
  argument: {
    description: "A model's name or a part of it; default takes a choice back",
  },
  unchosen: "the tier decides",
  find: findModel,
  exists: (key, { keys }) => keys.includes(key),
  offered: ({ keys }) => keys,
  shownAs: (key) => key,
  details: (models, inForce) => [
    `Asked in this order: ${chainInForce(inForce, models)}.`,
  ],
});

/** A whole name counts more than a part of one: `gpt-5` is not `gpt-5-mini`. */
function findModel(
  text: string,
  { models: { keys }, nearest }: Pick<CommandDeps, "models" | "nearest">,
): Found {
  const wanted = text.toLowerCase();
  const parts = wanted.split(" ");
  const matches = [
    keys.filter((key) => key.toLowerCase() === wanted),
    keys.filter((key) => nameOf(key).toLowerCase() === wanted),
    keys.filter((key) =>
      parts.every((part) => key.toLowerCase().includes(part)),
    ),
  ].find((found) => found.length > 0);
  if (matches === undefined) {
    const near = nearest(text, [...keys, ...keys.map(nameOf)]);
    const hint =
      near === undefined
        ? `There are: ${listed(keys)}.`
        : `Did you mean ${near}?`;
    return { problem: [`There is no model ${typed(text)}. ${hint}`] };
  }
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return { value: only };
  return {
    problem: [
      `More than one model is meant by ${typed(text)}: ${listed(matches)}.`,
    ],
  };
}

/** Without the provider. */
const nameOf = (key: string): string => key.slice(key.indexOf("/") + 1);

const listed = (keys: readonly string[]): string =>
  keys.length > maxListed
    ? `${keys.slice(0, maxListed).join(", ")} and ${keys.length - maxListed} more`
    : keys.join(", ");
