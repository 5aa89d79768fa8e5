import { chatTierNames } from "../core/model.ts";
import { choiceCommand } from "./choice-command.ts";
import { isTierName } from "../core/choices.ts";
import { typed } from "./command.ts";
import { described } from "./menu.ts";

/** `/tier [name] [chat|me]` */
export const tierCommand = choiceCommand({
  kind: "tier",
  spec: described("tier", ({ tier }) => tier.description),
  argument: {
    ...described("tier", ({ tier }) => tier.tier),
    choices: [...chatTierNames, "default"],
  },
  find(text, _deps, { noTier }) {
    const name = text.toLowerCase();
    if (isTierName(name)) return { value: name };
    return { problem: [noTier(typed(text), chatTierNames.join(", "))] };
  },
  exists: isTierName,
  offered: ({ tiers }) => tiers,
  shownAs: (tier, { aliases }) => (isTierName(tier) ? (aliases.get(tier) ?? tier) : tier),
  details: ({ tiers, aliases, modelsOf }, _current, { sameAs }) => [
    ...tiers.map((tier) => `${tier}: ${modelsOf(tier).join(", ")}`),
    ...Map.groupBy(aliases, ([, same]) => same)
      .entries()
      .map(([same, those]) => sameAs(those.map(([tier]) => tier).join(", "), same)),
  ],
});
