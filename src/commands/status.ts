import { type Choice, type Choices } from "../core/choices.ts";
import { chainInForce, choicesInForce } from "./choice.ts";
import { reasonOf } from "./choice-command.ts";
import type { Words } from "../locales/words.ts";
import { answer, type Command, type ModelChoices } from "./command.ts";
import { pauseOf } from "../core/pause.ts";
import { described } from "./menu.ts";
import { pausedLine } from "./pause.ts";

export const statusCommand: Command = {
  spec: described("status", (menu) => menu.status.description),
  role: "guest",
  isPrivate: false,
  async run(
    { chat, address, preference, words },
    { status, runningAuto, settings, models, pauses },
  ) {
    const [{ activity, queued, remembered }, auto, own, paused] =
      await Promise.all([
        status(chat),
        runningAuto(chat),
        settings.read(chat),
        pauses.read(),
      ]);
    const pause = pauseOf(paused, address.platform);
    return answer(
      ...(pause === undefined ? [] : [pausedLine(pause, words)]),
      words.status[activity],
      ...(auto === undefined ? [] : [words.status.auto(auto.step, auto.of)]),
      ...(queued > 0 ? [words.status.queue(queued)] : []),
      ...modelLines(choicesInForce(preference, own, models), models, words),
      words.status.remembered(remembered),
    );
  },
};

const why = (chosen: Choice<string> | undefined, { choices }: Words): string =>
  chosen === undefined ? "" : ` (${reasonOf(chosen, choices)})`;

/** Which models are asked, in their order, and of which tier they are. */
function modelLines(
  inForce: Choices,
  models: ModelChoices,
  words: Words,
): readonly string[] {
  const { tier, model } = inForce;
  const { status } = words;
  return [
    status.model(`${chainInForce(inForce, models)}${why(model, words)}`),
    tier === undefined
      ? status.noTier
      : status.tier(`${tier.value}${why(tier, words)}`),
  ];
}
