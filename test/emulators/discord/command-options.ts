import {
  ApplicationCommandOptionType,
  type APIApplicationCommand,
  type APIApplicationCommandOption,
} from "discord-api-types/v10";
import type { Emulation } from "./emulation.ts";
import { arrayOf, objectOf, type JsonObject } from "./json.ts";
import type { StoredChannel } from "./model.ts";
import type { OutgoingFile } from "./person.ts";
import { channelPayload, memberPayload, rolePayload, userPayload } from "./payloads.ts";

/** What a person enters: text, number, truth, a person, channel or role, or a file. */
export type OptionValue = string | number | boolean | { readonly id: string } | OutgoingFile;
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** Which branch of a command with subcommands. */
export interface CommandPath {
  readonly group?: string;
  readonly subcommand?: string;
}

interface Entered {
  readonly channel: StoredChannel;
  readonly path: CommandPath;
  readonly values: OptionValues;
  /** Autocomplete: the option being typed; required ones may still be missing. */
  readonly focused?: string;
}

const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;

/**
 * The `data` of a slash command's interaction. Throws what Discord's client would not let a person
 * send: an unknown, missing or ill-typed option.
 */
export function commandData(
  emulation: Emulation,
  command: APIApplicationCommand,
  entered: Entered,
): JsonObject {
  const { path, values } = entered;
  const resolved: Record<string, Record<string, unknown>> = {};
  const group = path.group === undefined ? command : branch(command, path.group, SubcommandGroup);
  const leaf = path.subcommand === undefined ? group : branch(group, path.subcommand, Subcommand);
  const definitions = arrayOf(leaf.options).map((option) => option as APIApplicationCommandOption);
  if (definitions.some(({ type }) => type === Subcommand || type === SubcommandGroup))
    throw new Error(`/${command.name} needs a subcommand.`);
  for (const name of Object.keys(values))
    if (!definitions.some((option) => option.name === name))
      throw new Error(`/${command.name} has no option ${name}.`);
  const options: unknown[] = definitions.flatMap((option) => {
    const value = values[option.name];
    if (value !== undefined) return [optionData(emulation, { option, value, entered, resolved })];
    if (option.required && entered.focused === undefined)
      throw new Error(`/${command.name} needs its option ${option.name}.`);
    return [];
  });
  const inSubcommand =
    path.subcommand === undefined
      ? options
      : [{ type: Subcommand, name: path.subcommand, options }];
  const all =
    path.group === undefined
      ? inSubcommand
      : [{ type: SubcommandGroup, name: path.group, options: inSubcommand }];
  return {
    id: command.id,
    name: command.name,
    type: command.type,
    ...(command.guild_id === undefined ? {} : { guild_id: command.guild_id }),
    ...(all.length === 0 ? {} : { options: all }),
    ...(Object.keys(resolved).length === 0 ? {} : { resolved }),
  };
}

interface Branch {
  readonly name: string;
  readonly options?: readonly APIApplicationCommandOption[];
}

function branch(parent: Branch, name: string, type: ApplicationCommandOptionType): Branch {
  const found = (parent.options ?? []).find(
    (option) => option.name === name && option.type === type,
  );
  if (!found) throw new Error(`/${parent.name} has no branch ${name}.`);
  return found;
}

interface OptionEntry {
  readonly option: APIApplicationCommandOption;
  readonly value: OptionValue;
  readonly entered: Entered;
  readonly resolved: Record<string, Record<string, unknown>>;
}

function optionData(emulation: Emulation, entry: OptionEntry): JsonObject {
  const { option, value, entered, resolved } = entry;
  const focused = entered.focused === option.name;
  if (!focused) check(option, value);
  const given =
    typeof value === "object" && "bytes" in value
      ? upload(emulation, entered.channel, value)
      : typeof value === "object"
        ? { id: value.id, ...named(emulation, entered.channel, value.id) }
        : undefined;
  for (const [kind, payloads] of Object.entries(given?.resolved ?? {}))
    resolved[kind] = { ...resolved[kind], ...payloads };
  return {
    name: option.name,
    type: option.type,
    value: given?.id ?? value,
    ...(focused ? { focused: true } : {}),
  };
}

const named = (emulation: Emulation, channel: StoredChannel, id: string) => ({
  resolved: resolveId(emulation, channel, id),
});

/** A file that is given to an option is kept as an ephemeral message's is. */
function upload(
  { world, messages }: Emulation,
  channel: StoredChannel,
  { name, ...file }: OutgoingFile,
) {
  const stored = world.addFile({
    filename: name,
    contentType: "application/octet-stream",
    ...file,
  });
  const payload = messages.attachment(stored, channel.id);
  return {
    id: stored.id,
    resolved: { attachments: { [stored.id]: payload } },
  };
}

function check(option: APIApplicationCommandOption, value: OptionValue): void {
  const wanted: Partial<Record<ApplicationCommandOptionType, string>> = {
    3: "string",
    4: "number",
    5: "boolean",
    10: "number",
  };
  const isFile = typeof value === "object" && "bytes" in value;
  const type = wanted[option.type] ?? "object";
  const fail = (why: string): never => {
    throw new Error(`Option ${option.name} can't be ${JSON.stringify(value)}: ${why}.`);
  };
  if (typeof value !== type) fail(`it must be a ${type}`);
  if (isFile !== (option.type === ApplicationCommandOptionType.Attachment))
    fail(isFile ? "it must not be a file" : "it must be a file");
  if (option.type === ApplicationCommandOptionType.Integer && !Number.isInteger(value))
    fail("it must be an integer");
  const { choices, min_value, max_value, min_length, max_length } = option as unknown as Record<
    string,
    number
  > & { choices?: unknown };
  const allowed = arrayOf(choices).map((choice) => objectOf(choice)["value"]);
  if (allowed.length > 0 && !allowed.includes(value)) fail(`choices are ${allowed.join(", ")}`);
  const size = typeof value === "string" ? value.length : Number(value);
  const [min, max] = typeof value === "string" ? [min_length, max_length] : [min_value, max_value];
  if (typeof value !== "object" && (size < (min ?? -Infinity) || size > (max ?? Infinity)))
    fail("out of range");
}

/** What an id stands for, as `resolved` carries it; throws when it names nothing. */
export function resolveId(
  { world }: Emulation,
  channel: StoredChannel,
  id: string,
): Record<string, Record<string, unknown>> {
  const guild = world.guildOf(channel);
  const user = world.users.get(id);
  const role = guild?.roles.get(id);
  const named = world.channels.get(id);
  if (role) return { roles: { [id]: rolePayload(role) } };
  if (named)
    return {
      channels: { [id]: { ...channelPayload(world, named), permissions: "0" } },
    };
  if (!user) throw new Error(`${id} names nobody and nothing that exists.`);
  const member = guild?.members.get(id);
  const users = { [id]: userPayload(user) };
  if (!guild || !member) return { users };
  const permissions = world.permissions(guild, id).toString();
  return {
    users,
    members: { [id]: { ...memberPayload(member), permissions } },
  };
}

/** The `data` of a message or user menu's interaction. */
export function menuData(
  command: APIApplicationCommand,
  targetId: string,
  resolved: JsonObject,
): JsonObject {
  const { id, name, type } = command;
  return { id, name, type, target_id: targetId, resolved };
}
