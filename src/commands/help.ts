import type { CommandSpec } from "../core/ports.ts";
import { claimBot, requestPairing } from "../access/pairing.ts";
import { answer, type Command } from "./command.ts";

export const startCommand: Command = {
  spec: {
    name: "start",
    description: "What this bot does",
    arguments: [
      {
        name: "code",
        description: "A code that makes you the first admin",
        required: false,
      },
    ],
  },
  role: "stranger",
  isPrivate: false,
  async run({ argument, role, person, chat, direct }, { access, pairing }) {
    if (
      argument !== "" &&
      direct &&
      (await claimBot(pairing, { person, chat }, argument))
    ) {
      return answer(
        "You are this bot's admin now. /help shows what you can do.",
      );
    }
    if (role === "stranger") {
      return answer(
        access.mode === "pairing"
          ? await requestPairing(pairing, person, chat)
          : "You are not allowed to use this bot.",
      );
    }
    return answer(
      "I answer questions, and I can use tools to do so.",
      "Whatever changes something I do only after you tapped Approve.",
      "In a group, mention me or reply to me.",
      "/new starts afresh, /stop interrupts me, /help shows the rest.",
    );
  },
};

export const helpCommand: Command = {
  spec: { name: "help", description: "All commands" },
  role: "stranger",
  isPrivate: false,
  run({ role }, { commands }) {
    const mine = commands.filter(
      (command) => role === "admin" || command.role !== "admin",
    );
    return Promise.resolve(
      answer(
        ...mine.map(({ spec }) => `${usageOf(spec)} – ${spec.description}`),
      ),
    );
  },
};

/** How a command is typed: `/auto <goal> [turns]`. */
export const usageOf = ({ name, arguments: given = [] }: CommandSpec): string =>
  [
    `/${name}`,
    ...given.map((each) =>
      each.required ? `<${each.name}>` : `[${each.name}]`,
    ),
  ].join(" ");
