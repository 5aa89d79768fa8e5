import { answer, type Command } from "./command.ts";

const words = {
  idle: "Nothing is running.",
  running: "I am working on a message.",
  waiting: "I am waiting for someone to approve or deny.",
};

export const statusCommand: Command = {
  spec: { name: "status", description: "What I am doing in this chat" },
  role: "member",
  isPrivate: false,
  async run({ chat }, { status, modelName }) {
    const { activity, queued, remembered } = await status(chat);
    return answer(
      words[activity],
      ...(queued > 0 ? [`Messages waiting: ${queued}.`] : []),
      `Model: ${modelName}.`,
      `Entries in this conversation: ${remembered}.`,
    );
  },
};

export const usageCommand: Command = {
  spec: { name: "usage", description: "What this chat has used" },
  role: "member",
  isPrivate: true,
  async run({ chat }, { status }) {
    const { usage } = await status(chat);
    return answer(
      "This chat has used:",
      `turns: ${usage.turns}`,
      `model calls: ${usage.modelCalls}`,
      `input tokens: ${usage.inputTokens}`,
      `output tokens: ${usage.outputTokens}`,
    );
  },
};

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
