import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import { characters, type FormErrors } from "../api-error.ts";
import { arrayOf, objectOf, type JsonObject } from "../json.ts";

/** Limits: docs, Message Resource (Create Message, Embed Limits) and Component Reference. */
const maxEmbeds = 10;
const maxEmbedCharacters = 6_000;
const maxRows = 5;
const maxButtonsInRow = 5;

/** Characters are code points, so an emoji counts once; before trimming. */
export const maxContentCharacters = 2_000;

const selectTypes: readonly unknown[] = [
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
];

export function validateEmbeds(errors: FormErrors, path: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const embeds = arrayOf(value).map(objectOf);
  if (embeds.length > maxEmbeds)
    errors.add(path, "BASE_TYPE_MAX_LENGTH", `Must be ${maxEmbeds} or fewer in length.`);
  let total = 0;
  for (const [index, embed] of embeds.entries())
    total += validateEmbed(errors, `${path}.${index}`, embed);
  if (total > maxEmbedCharacters)
    errors.add(
      path,
      "MAX_EMBED_SIZE_EXCEEDED",
      `Embed size exceeds maximum size of ${maxEmbedCharacters}`,
    );
}

/** Returns the characters that count towards the total. */
function validateEmbed(errors: FormErrors, path: string, embed: JsonObject): number {
  let total = 0;
  const text = (key: string, value: unknown, max: number, min = 0): void => {
    if (value === undefined || value === null) return;
    errors.length(`${path}.${key}`, value, { min, max });
    if (typeof value === "string") total += characters(value);
  };
  text("title", embed["title"], 256);
  text("description", embed["description"], 4_096);
  text("footer.text", objectOf(embed["footer"])["text"], 2_048);
  text("author.name", objectOf(embed["author"])["name"], 256);
  const fields = arrayOf(embed["fields"]).map(objectOf);
  if (fields.length > 25)
    errors.add(`${path}.fields`, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
  for (const [index, field] of fields.entries()) {
    for (const key of ["name", "value"])
      if (field[key] === undefined) errors.required(`${path}.fields.${index}.${key}`);
    text(`fields.${index}.name`, field["name"], 256, 1);
    text(`fields.${index}.value`, field["value"], 1_024, 1);
  }
  return total;
}

export function validateComponents(errors: FormErrors, path: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const rows = arrayOf(value).map(objectOf);
  if (rows.length > maxRows)
    errors.add(path, "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${maxRows} in length.`);
  const customIds = new Set<unknown>();
  for (const [index, row] of rows.entries()) {
    const at = `${path}.${index}`;
    if (row["type"] !== ComponentType.ActionRow) {
      errors.add(`${at}.type`, "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1,).');
      continue;
    }
    validateRow(errors, `${at}.components`, {
      components: arrayOf(row["components"]).map(objectOf),
      customIds,
    });
  }
}

function validateRow(
  errors: FormErrors,
  path: string,
  { components, customIds }: { components: JsonObject[]; customIds: Set<unknown> },
): void {
  if (components.length < 1 || components.length > maxButtonsInRow)
    errors.add(path, "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${maxButtonsInRow} in length.`);
  const hasSelect = components.some((component) => selectTypes.includes(component["type"]));
  if (hasSelect && components.length > 1)
    errors.add(
      path,
      "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
      "The specified component exceeds the maximum width",
    );
  for (const [index, component] of components.entries()) {
    const at = `${path}.${index}`;
    if (component["type"] === ComponentType.Button) validateButton(errors, at, component);
    else if (selectTypes.includes(component["type"])) validateSelect(errors, at, component);
    else errors.choice(`${at}.type`, component["type"], [2, ...selectTypes]);
    const { custom_id: customId } = component;
    if (customId === undefined) continue;
    if (customIds.has(customId))
      errors.add(
        `${at}.custom_id`,
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        "Component custom id cannot be duplicated",
      );
    customIds.add(customId);
  }
}

function validateButton(errors: FormErrors, path: string, button: JsonObject): void {
  const { style, label, emoji, url, custom_id: customId } = button;
  errors.choice(`${path}.style`, style, [1, 2, 3, 4, 5]);
  if (style === ButtonStyle.Link) {
    if (url === undefined) errors.required(`${path}.url`);
    else errors.length(`${path}.url`, url, { min: 1, max: 512 });
    if (customId !== undefined)
      errors.add(path, "COMPONENT_URL_CUSTOM_ID", "A custom id and url cannot both be specified");
  } else validateCustomId(errors, path, customId);
  if (label === undefined && emoji === undefined)
    errors.add(path, "BUTTON_COMPONENT_INVALID_LABEL", "A button must have a label or an emoji");
  if (label !== undefined && label !== null) errors.length(`${path}.label`, label, { max: 80 });
}

function validateSelect(errors: FormErrors, path: string, select: JsonObject): void {
  validateCustomId(errors, path, select["custom_id"]);
  if (select["placeholder"] !== undefined)
    errors.length(`${path}.placeholder`, select["placeholder"], { max: 150 });
  if (select["type"] !== ComponentType.StringSelect) return;
  const options = arrayOf(select["options"]).map(objectOf);
  if (options.length < 1 || options.length > 25)
    errors.add(`${path}.options`, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length.");
  const values = options.map((option) => option["value"]);
  for (const [index, option] of options.entries()) {
    errors.length(`${path}.options.${index}.label`, option["label"], {
      min: 1,
      max: 100,
    });
    errors.length(`${path}.options.${index}.value`, option["value"], {
      min: 1,
      max: 100,
    });
    if (option["description"] !== undefined)
      errors.length(`${path}.options.${index}.description`, option["description"], { max: 100 });
    if (values.indexOf(option["value"]) !== index)
      errors.add(
        `${path}.options.${index}.value`,
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        "The specified option value is already used",
      );
  }
}

function validateCustomId(errors: FormErrors, path: string, customId: unknown): void {
  if (customId === undefined) errors.required(`${path}.custom_id`);
  else errors.length(`${path}.custom_id`, customId, { min: 1, max: 100 });
}
