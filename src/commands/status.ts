import { type Choice, type Choices } from "../core/choices.ts";
import { effectiveChain, effectiveChoices } from "./choice.ts";
import { reasonOf } from "./choice-command.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, type Command, type ModelChoices } from "./command.ts";
import { pauseOf } from "../core/pause.ts";
import { described } from "./menu.ts";
import { pausedLine } from "./pause.ts";

export const statusCommand: Command = {
  spec: described("status", (menu) => menu.status.description),
  role: "guest",
  isPrivate: false,
  async run(
    { chat, address, preference, locale },
    { status, runningAuto, settings, models, pauses },
  ) {
    const [{ activity, queued, remembered }, auto, own, paused] = await Promise.all([
      status(chat),
      runningAuto(chat),
      settings.read(chat),
      pauses.read(),
    ]);
    const pause = pauseOf(paused, address.platform);
    return answer(
      ...(pause === undefined ? [] : [pausedLine(pause, locale)]),
      locale.status[activity],
      ...(auto === undefined ? [] : [locale.status.auto(auto.step, auto.of)]),
      ...(queued > 0 ? [locale.status.queue(queued)] : []),
      ...modelLines(effectiveChoices(preference, own, models), models, locale),
      locale.status.remembered(remembered),
    );
  },
};

const why = (chosen: Choice<string> | undefined, { choices }: Locale): string =>
  chosen === undefined ? "" : ` (${reasonOf(chosen, choices)})`;

/** Which models are asked, in their order, and of which tier they are. */
function modelLines(effective: Choices, models: ModelChoices, locale: Locale): readonly string[] {
  const { tier, model } = effective;
  const { status } = locale;
  return [
    status.model(`${effectiveChain(effective, models)}${why(model, locale)}`),
    tier === undefined ? status.noTier : status.tier(`${tier.value}${why(tier, locale)}`),
  ];
}
