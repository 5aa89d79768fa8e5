import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  Locale,
} from "discord-api-types/v10";
import { characters, FormErrors } from "../api-error.ts";
import { arrayOf, objectOf, type JsonObject } from "../json.ts";

/** Limits and patterns: docs, Application Commands (Naming, Option Structure, Registering). */
const namePattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const maxOptions = 25;
const maxChoices = 25;
const maxCharacters = 8_000;
const maxCommands: Readonly<Record<number, number>> = { 1: 100, 2: 5, 3: 5 };

const {
  Subcommand,
  SubcommandGroup,
  String: Text,
  Integer,
  Number: Decimal,
} = ApplicationCommandOptionType;

/** Throws 50035 for a list (PUT) that the real service refuses. */
export function validateCommandList(commands: readonly unknown[]): void {
  const errors = new FormErrors();
  const seen = new Set<string>();
  const counts = new Map<number, number>();
  for (const [index, value] of commands.entries()) {
    const command = objectOf(value);
    validateInto(errors, `${index}`, command);
    const type = Number(command["type"] ?? 1);
    const key = `${type}:${String(command["name"])}`;
    if (seen.has(key))
      errors.add(
        `${index}`,
        "APPLICATION_COMMANDS_DUPLICATE_NAME",
        "Application command names must be unique",
      );
    seen.add(key);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  for (const [type, count] of counts)
    if (count > (maxCommands[type] ?? 0))
      errors.add("", "BASE_TYPE_MAX_LENGTH", `Must be ${maxCommands[type]} or fewer in length.`);
  errors.throwIfAny();
}

/** Throws 50035 for a single command (POST, PATCH). */
export function validateCommand(command: JsonObject): void {
  const errors = new FormErrors();
  validateInto(errors, "", command);
  errors.throwIfAny();
}

function validateInto(errors: FormErrors, path: string, command: JsonObject): void {
  const at = (key: string) => join(path, key);
  const type = command["type"] ?? ApplicationCommandType.ChatInput;
  errors.choice(at("type"), type, [1, 2, 3]);
  localizations(errors, at("name_localizations"), command["name_localizations"]);
  const permissions = command["default_member_permissions"] ?? null;
  if (permissions !== null && !(typeof permissions === "string" && /^\d+$/.test(permissions)))
    errors.add(
      at("default_member_permissions"),
      "NUMBER_TYPE_COERCE",
      "Value is not a permission bit set.",
    );
  if (command["contexts"] != null)
    for (const [index, context] of arrayOf(command["contexts"]).entries())
      errors.choice(at(`contexts.${index}`), context, [0, 1, 2]);
  if (command["integration_types"] != null)
    for (const [index, kind] of arrayOf(command["integration_types"]).entries())
      errors.choice(at(`integration_types.${index}`), kind, [0, 1]);
  if (type === ApplicationCommandType.ChatInput) {
    validateName(errors, at("name"), command["name"]);
    validateText(errors, at("description"), command["description"]);
    localizations(
      errors,
      at("description_localizations"),
      command["description_localizations"],
      100,
    );
    validateOptions(errors, at("options"), {
      options: command["options"],
      depth: 0,
    });
    if (countCharacters(command) > maxCharacters)
      errors.add(
        path,
        "APPLICATION_COMMAND_TOO_LARGE",
        `Command exceeds maximum size (${maxCharacters})`,
      );
    return;
  }
  validateText(errors, at("name"), command["name"], 32);
  if (command["description"])
    errors.add(
      at("description"),
      "APPLICATION_COMMAND_INVALID_DESCRIPTION",
      "Context menu commands cannot have description",
    );
  if (arrayOf(command["options"]).length > 0)
    errors.add(
      at("options"),
      "APPLICATION_COMMAND_INVALID_OPTIONS",
      "Context menu commands cannot have options",
    );
}

function validateOptions(
  errors: FormErrors,
  path: string,
  { options, depth }: { options: unknown; depth: number },
): void {
  const list = arrayOf(options).map(objectOf);
  if (list.length > maxOptions)
    errors.add(path, "BASE_TYPE_MAX_LENGTH", `Must be ${maxOptions} or fewer in length.`);
  const names = list.map((option) => option["name"]);
  let optionalSeen = false;
  for (const [index, option] of list.entries()) {
    const at = `${path}.${index}`;
    if (names.indexOf(option["name"]) !== index)
      errors.add(
        `${at}.name`,
        "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
        "Option name already exists",
      );
    if (option["required"] === true && optionalSeen)
      errors.add(
        at,
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        "Required options must be placed before non-required options",
      );
    optionalSeen ||= option["required"] !== true;
    validateOption(errors, at, { option, depth });
  }
  const nested = list.filter((option) => isNesting(option["type"]));
  if (nested.length > 0 && nested.length < list.length)
    errors.add(
      path,
      "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
      "Sub-command and sub-command group option types are mutually exclusive to all other types",
    );
}

function validateOption(
  errors: FormErrors,
  path: string,
  { option, depth }: { option: JsonObject; depth: number },
): void {
  const { type } = option as { type?: number };
  validateName(errors, `${path}.name`, option["name"]);
  validateText(errors, `${path}.description`, option["description"]);
  localizations(
    errors,
    `${path}.description_localizations`,
    option["description_localizations"],
    100,
  );
  localizations(errors, `${path}.name_localizations`, option["name_localizations"]);
  errors.choice(`${path}.type`, type, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  if (isNesting(type)) {
    if (depth > 1 || (depth === 1 && type === SubcommandGroup))
      errors.add(
        `${path}.type`,
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        "Sub-commands cannot be nested this deep",
      );
    if (option["required"] === true)
      errors.add(
        `${path}.required`,
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        "Sub-commands cannot be required",
      );
    validateOptions(errors, `${path}.options`, {
      options: option["options"],
      depth: depth + 1,
    });
    return;
  }
  if (arrayOf(option["options"]).length > 0)
    errors.add(
      `${path}.options`,
      "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
      "Only sub-commands have options",
    );
  validateChoices(errors, path, option);
}

function validateChoices(errors: FormErrors, path: string, option: JsonObject): void {
  const choices = arrayOf(option["choices"]).map(objectOf);
  const type = option["type"] as ApplicationCommandOptionType;
  const mayChoose = [Text, Integer, Decimal].includes(type);
  if (choices.length > 0 && (!mayChoose || option["autocomplete"] === true))
    errors.add(
      `${path}.choices`,
      "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
      "Choices are not allowed here",
    );
  if (option["autocomplete"] === true && !mayChoose)
    errors.add(
      `${path}.autocomplete`,
      "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID_TYPE",
      "Autocomplete is not allowed here",
    );
  if (choices.length > maxChoices)
    errors.add(
      `${path}.choices`,
      "BASE_TYPE_MAX_LENGTH",
      `Must be ${maxChoices} or fewer in length.`,
    );
  for (const [index, choice] of choices.entries())
    validateChoice(errors, `${path}.choices.${index}`, { choice, type });
}

/** A choice of an option, or one that autocomplete answers with. */
export function validateChoice(
  errors: FormErrors,
  path: string,
  { choice, type }: { choice: JsonObject; type: ApplicationCommandOptionType },
): void {
  validateText(errors, `${path}.name`, choice["name"]);
  const { value } = choice;
  if (type === Text) errors.length(`${path}.value`, value, { min: 1, max: 100 });
  else if (typeof value !== "number" || (type === Integer && !Number.isInteger(value)))
    errors.add(`${path}.value`, "NUMBER_TYPE_COERCE", `Value "${String(value)}" is not a number.`);
}

function validateName(errors: FormErrors, path: string, name: unknown): void {
  if (name === undefined) return errors.required(path);
  if (typeof name !== "string" || !namePattern.test(name) || name !== name.toLowerCase())
    errors.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
}

function validateText(errors: FormErrors, path: string, text: unknown, max = 100): void {
  if (text === undefined) errors.required(path);
  else errors.length(path, text, { min: 1, max });
}

function localizations(errors: FormErrors, path: string, value: unknown, max = 32): void {
  const locales: string[] = Object.values(Locale);
  for (const [locale, text] of Object.entries(objectOf(value)))
    if (locales.includes(locale)) errors.length(`${path}.${locale}`, text, { min: 1, max });
    else errors.choice(`${path}.${locale}`, locale, locales);
}

/**
 * Names, descriptions and values of the command, its options and their choices, together; of each
 * the longest language.
 */
function countCharacters(node: JsonObject): number {
  const own = ["name", "description", "value"].map((key) => {
    const texts = [node[key], ...Object.values(objectOf(node[`${key}_localizations`]))].filter(
      (text) => typeof text === "string",
    );
    return Math.max(0, ...texts.map(characters));
  });
  const children = [...arrayOf(node["options"]), ...arrayOf(node["choices"])].map(objectOf);
  return [...own, ...children.map(countCharacters)].reduce((sum, count) => sum + count, 0);
}

function isNesting(type: unknown): boolean {
  return type === Subcommand || type === SubcommandGroup;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
