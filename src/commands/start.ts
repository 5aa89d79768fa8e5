import { claimBot, turnAway } from "../access/pairing.ts";
import type { Platform } from "../core/chat.ts";
import type { Locale } from "../locales/locale.ts";
import { effectiveChoices } from "./choice.ts";
import { effectivePersona, modelsOfPersona } from "./personas.ts";
import { answer, type Command, type CommandCall, type CommandDeps } from "./command.ts";
import { described, optional } from "./menu.ts";
import { sampleButtons } from "./samples.ts";

/** `/start [code]` */
export const startCommand: Command = {
  spec: {
    ...described("start", ({ start }) => start.description),
    arguments: [optional("code", ({ start }) => start.code)],
  },
  role: "stranger",
  isPrivate: false,
  async run(call, deps) {
    const { argument, role, person, chat, direct, locale } = call;
    const { access, pairing } = deps;
    if (argument !== "" && direct) {
      if (await claimBot(pairing, call, argument))
        // Elsewhere it was said before those who wait were shown.
        return answer(call.answersItself ? locale.start.youAreOwner : "");
      if (await access.isUnclaimed()) return answer(locale.start.wrongCode);
    }
    if (role === "stranger")
      return answer(await turnAway(pairing, { person, chat, direct, locale }));
    return {
      ...answer(...(await whatIDoHere(call, deps))),
      buttons: sampleButtons(locale),
    };
  },
};

/** Who gets answers elsewhere; a terminal has no groups. */
function inGroups(platform: Platform, start: Locale["start"]): readonly string[] {
  switch (platform) {
    case "telegram":
      return [start.direct];
    case "discord":
      return [start.directOnDiscord];
    case "console":
      return [];
    default:
      return platform satisfies never;
  }
}

/**
 * Four lines: the purpose, the tools, who gets answers, and what happens to
 * messages.
 */
async function whatIDoHere(call: CommandCall, deps: CommandDeps): Promise<readonly string[]> {
  const { address, chat, direct, preference, locale } = call;
  const { settings, tools, models } = deps;
  const { start } = locale;
  const [own, known, current] = await Promise.all([
    settings.read(chat),
    tools(),
    effectivePersona(deps, call),
  ]);
  const persona = modelsOfPersona(current, call, deps);
  const { tier, model } = effectiveChoices({ preference, settings: own, persona }, models);
  const [first = ""] = models.modelsOf(tier?.value ?? "balanced", model?.value);
  const activation = own.activation ?? "mention";
  return [
    start.hello,
    [...(known.length === 0 ? [] : [start.tools(known.length)]), start.asksFirst].join(" "),
    ...(direct ? inGroups(address.platform, start) : [start[activation]]),
    start.privacy(first),
  ];
}
