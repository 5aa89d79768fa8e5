import { type Choice, type Choices } from "../core/choices.ts";
import { effectiveChain, effectiveChoices } from "./choice.ts";
import { reasonOf } from "./choice-command.ts";
import type { Locale } from "../locales/locale.ts";
import {
  answer,
  type Command,
  type CommandCall,
  type CommandDeps,
  type ModelChoices,
} from "./command.ts";
import { pauseOf } from "../core/pause.ts";
import { described } from "./menu.ts";
import { pausedLine } from "./pause.ts";
import { autoIn, autoText } from "./permissions.ts";
import { effectivePersona, modelsOfPersona } from "./personas.ts";
import { skillsLine } from "./skills.ts";

export const statusCommand: Command = {
  spec: described("status", (menu) => menu.status.description),
  role: "guest",
  isPrivate: false,
  async run(call, deps) {
    const { chat, address, preference, locale } = call;
    const { status, runningAuto, settings, models, pauses, grants, now } = deps;
    const [{ activity, queued, remembered }, auto, own, paused, mode, persona] = await Promise.all([
      status(chat),
      runningAuto(chat),
      settings.read(chat),
      pauses.read(),
      autoIn(chat, { grants }),
      effectivePersona(deps, call),
    ]);
    const skills = await skillsLine(call, deps, persona);
    const pause = pauseOf(paused, address.platform);
    return answer(
      ...(pause === undefined ? [] : [pausedLine(pause, locale)]),
      locale.status[activity],
      ...(auto === undefined ? [] : [locale.status.auto(auto.step, auto.of)]),
      ...(mode === undefined
        ? []
        : [locale.permissions.status(autoText(mode, { locale, nowMs: now() }))]),
      ...(queued > 0 ? [locale.status.queue(queued)] : []),
      ...modelLines(
        effectiveChoices(
          { preference, settings: own, persona: modelsOfPersona(persona, call, deps) },
          models,
        ),
        models,
        locale,
      ),
      ...(persona === undefined ? [] : [locale.status.persona(persona.ref.name)]),
      ...skills,
      ...memoryLines(call, deps),
      locale.status.remembered(remembered),
    );
  },
};

/** How what was said earlier is found here: in a group only by the tool and by `/recall`. */
function memoryLines(
  { direct, locale }: CommandCall,
  { memory: { recall, embeddings } }: Pick<CommandDeps, "memory">,
): readonly string[] {
  const say = locale.status.memory;
  if (recall === "off") return [say.off];
  const isAuto = recall === "auto" && direct;
  const hasMeaning = embeddings !== "none";
  return [
    isAuto ? (hasMeaning ? say.autoMeaning : say.auto) : hasMeaning ? say.toolMeaning : say.tool,
    ...(embeddings === "failing" ? [say.keywordsOnly] : []),
  ];
}

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
