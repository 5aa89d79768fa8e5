import { chatTierNames } from "../core/model.ts";
import { choiceCommand } from "./choice-command.ts";
import { isTierName } from "../core/choices.ts";
import { typed, type ModelChoices } from "./command.ts";

/** `/tier [name] [chat|me]` */
export const tierCommand = choiceCommand({
  kind: "tier",
  description: "How much of a model answers: fast, smart, deep …",
  argument: {
    description: "Which tier; default takes a choice back",
    choices: [...chatTierNames, "default"],
  },
  unchosen: "it is balanced, or another where a message needs it",
  find(text) {
    const name = text.toLowerCase();
    if (isTierName(name)) return { value: name };
    return {
      problem: [
        `There is no tier ${typed(text)}. There are: ${chatTierNames.join(", ")}, and default.`,
      ],
    };
  },
  exists: isTierName,
  offered: ({ tiers }) => tiers,
  shownAs: (tier, { aliases }) =>
    isTierName(tier) ? (aliases.get(tier) ?? tier) : tier,
  details: ({ tiers, aliases, modelsOf }: ModelChoices) => [
    ...tiers.map((tier) => `${tier}: ${modelsOf(tier).join(", ")}`),
    ...[...aliases].map(([tier, same]) => `${tier}: the same as ${same} here`),
  ],
});
