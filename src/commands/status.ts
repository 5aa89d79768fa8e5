import { type Choice, type Choices } from "../core/choices.ts";
import { chainInForce, choicesInForce } from "./choice.ts";
import { reasonOf } from "./choice-command.ts";
import { answer, type Command, type ModelChoices } from "./command.ts";

const words = {
  idle: "Nothing is running.",
  queued: "Waiting for a worker.",
  running: "I am working.",
  waiting: "I am waiting for someone to approve or deny.",
};

export const statusCommand: Command = {
  spec: { name: "status", description: "What I am doing in this chat" },
  role: "member",
  isPrivate: false,
  async run({ chat, preference }, { status, runningAuto, settings, models }) {
    const [{ activity, queued, remembered }, auto, own] = await Promise.all([
      status(chat),
      runningAuto(chat),
      settings.read(chat),
    ]);
    return answer(
      words[activity],
      ...(auto === undefined
        ? []
        : [`/auto: turn ${auto.step} of ${auto.of}. /stop ends it.`]),
      ...(queued > 0 ? [`Messages waiting: ${queued}.`] : []),
      ...modelLines(choicesInForce(preference, own, models), models),
      `Entries in this conversation: ${remembered}.`,
    );
  },
};

const why = (chosen: Choice<string> | undefined): string =>
  chosen === undefined ? "" : ` (${reasonOf(chosen)})`;

/** Which models are asked, in their order, and of which tier they are. */
function modelLines(inForce: Choices, models: ModelChoices): readonly string[] {
  const { tier, model } = inForce;
  return [
    `Model: ${chainInForce(inForce, models)}${why(model)}.`,
    tier === undefined
      ? "Tier: balanced, or another where a message needs it."
      : `Tier: ${tier.value}${why(tier)}.`,
  ];
}

export const whoamiCommand: Command = {
  spec: { name: "whoami", description: "Who you are to me" },
  role: "stranger",
  isPrivate: true,
  run({ person, role, chat }) {
    return Promise.resolve(
      answer(
        `Name: ${person.name}`,
        `Id: ${person.id}`,
        `Role: ${role}`,
        `Chat: ${chat}`,
        ...(person.anonymous
          ? ["You write anonymously: you can decide nothing here."]
          : []),
      ),
    );
  },
};
