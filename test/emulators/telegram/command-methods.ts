import type { BotCommand } from "@grammyjs/types";
import { badRequest } from "./api-error.ts";
import { type Method, type MethodContext, watched } from "./method-context.ts";
import { integerField, isRecord, jsonField, textField } from "./parameters.ts";
import type { World } from "./world.ts";

/** https://core.telegram.org/bots/api#botcommand and #setmycommands */
const maxCommands = 100;
const maxDescriptionLength = 256;
const maxNameLength = 32;

/** The key under which commands of one scope and language are kept. */
export function commandsKey(world: World, scope: unknown, languageCode: string): string {
  if (languageCode !== "" && !/^[a-z]{2}$/.test(languageCode))
    throw badRequest("invalid language code specified");
  return `${scopeKey(world, scope)}/${languageCode}`;
}

function scopeKey(world: World, scope: unknown): string {
  if (scope === undefined) return "default";
  if (!isRecord(scope)) throw badRequest("can't parse BotCommandScope");
  const type = textField(scope, "type");
  switch (type) {
    case "default":
    case "all_private_chats":
    case "all_group_chats":
    case "all_chat_administrators":
      return type;
    case "chat":
    case "chat_administrators":
    case "chat_member": {
      const chatId = integerField(scope, "chat_id");
      const state = world.chats.get(chatId ?? 0);
      if (state === undefined) throw badRequest("chat not found");
      if (type === "chat") return `chat:${state.id}`;
      if (state.chat.type === "private") throw badRequest("can't use the scope in a private chat");
      if (type === "chat_administrators") return `${type}:${state.id}`;
      const userId = integerField(scope, "user_id");
      if (userId === undefined) throw badRequest("user not found");
      return `${type}:${state.id}:${userId}`;
    }
    default:
      throw badRequest("can't parse BotCommandScope: unsupported type specified");
  }
}

function readKey({ world, call }: MethodContext): string {
  return commandsKey(
    world,
    jsonField(call.payload, "scope", "bot command scope"),
    textField(call.payload, "language_code"),
  );
}

function readCommand(value: unknown): BotCommand {
  if (!isRecord(value)) throw badRequest("can't parse BotCommand: expected an Object");
  // TDLib drops a leading slash (BotCommand.cpp).
  const command = textField(value, "command").trim().replace(/^\//, "");
  const description = textField(value, "description").trim();
  if (command === "") throw badRequest("command must be non-empty");
  if (command.length > maxNameLength)
    throw badRequest(`command length must not exceed ${maxNameLength}`);
  if (!/^[a-z0-9_]+$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
  if (description === "") throw badRequest("command description must be non-empty");
  if (description.length > maxDescriptionLength)
    throw badRequest(`command description length must not exceed ${maxDescriptionLength}`);
  return { command, description };
}

const setMyCommands: Method = (context) =>
  watched(context, "bad-commands", () => {
    const { world, call } = context;
    const key = readKey(context);
    const list = jsonField(call.payload, "commands", "commands");
    if (!Array.isArray(list)) throw badRequest("can't parse commands JSON object");
    if (list.length > maxCommands) throw badRequest("BOT_COMMANDS_TOO_MUCH");
    world.commands.set(
      key,
      list.map((item: unknown) => readCommand(item)),
    );
    world.changed();
    return true;
  });

const getMyCommands: Method = (context) => context.world.commands.get(readKey(context)) ?? [];

const deleteMyCommands: Method = (context) => {
  context.world.commands.delete(readKey(context));
  context.world.changed();
  return true;
};

export const commandMethods: Readonly<Record<string, Method>> = {
  setMyCommands,
  getMyCommands,
  deleteMyCommands,
};
