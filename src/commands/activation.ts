import { activations, type Activation } from "../core/chat-settings.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, typed, type Command, type CommandCall } from "./command.ts";
import { described, optional } from "./menu.ts";
import { changeSetting } from "./settings.ts";

/**
 * `/activation [mention|always]`: the chat setting of that name, with its own
 * texts.
 */
export const activationCommand: Command = {
  spec: {
    ...described("activation", ({ activation }) => activation.description),
    arguments: [optional("when", ({ activation }) => activation.when, { choices: activations })],
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const { argument, options, chat, locale } = call;
    if (call.direct) return answer(locale.activation.direct);
    const wanted = (options?.["when"] ?? argument).trim().toLowerCase();
    if (wanted === "") {
      const { activation = "mention" } = await deps.settings.read(chat);
      return answer(locale.activation[activation], locale.activation.how);
    }
    const activation = activations.find((each) => each === wanted);
    if (activation === undefined) return answer(locale.activation.unknown(typed(wanted)));
    const changed = await changeSetting(call, deps, {
      name: "activation",
      value: activation,
    });
    return changed.isAllowed
      ? answer(locale.activation[activation], ...hints(call, activation, locale))
      : answer(changed.text);
  },
};

/**
 * Platforms withhold messages that aren't addressed to the bot unless an admin
 * allows them.
 */
function hints(
  { address }: CommandCall,
  activation: Activation,
  locale: Locale,
): readonly string[] {
  if (activation !== "always") return [];
  switch (address.platform) {
    case "telegram":
      return [locale.activation.telegramHint];
    case "discord":
      return [locale.activation.discordHint];
    case "console":
      return [];
    default:
      return address.platform satisfies never;
  }
}
