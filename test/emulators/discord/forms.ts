import { ComponentType, TextInputStyle } from "discord-api-types/v10";
import { FormErrors } from "./api-error.ts";
import { arrayOf, objectOf, type JsonObject } from "./json.ts";

/**
 * Throws 50035 for a form that the real service refuses (docs: Interaction Callback, Modal;
 * Components, Label).
 */
export function validateForm(form: JsonObject): void {
  const errors = new FormErrors();
  errors.length("data.custom_id", form["custom_id"], { min: 1, max: 100 });
  errors.length("data.title", form["title"], { min: 1, max: 45 });
  const components = arrayOf(form["components"]).map(objectOf);
  const ids = components.map((label) => objectOf(label["component"])["custom_id"]);
  if (new Set(ids).size < ids.length)
    errors.add(
      "data.components",
      "COMPONENT_CUSTOM_ID_DUPLICATED",
      "Component custom id cannot be duplicated",
    );
  if (components.length < 1 || components.length > 5)
    errors.add("data.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
  for (const [index, label] of components.entries()) {
    const at = `data.components.${index}`;
    errors.choice(`${at}.type`, label["type"], [ComponentType.Label]);
    errors.length(`${at}.label`, label["label"], { min: 1, max: 45 });
    if (label["description"] !== undefined)
      errors.length(`${at}.description`, label["description"], {
        min: 1,
        max: 100,
      });
    validateField(errors, `${at}.component`, objectOf(label["component"]));
  }
  errors.throwIfAny();
}

function validateField(errors: FormErrors, at: string, field: JsonObject): void {
  errors.choice(`${at}.type`, field["type"], [ComponentType.TextInput]);
  errors.choice(`${at}.style`, field["style"], [TextInputStyle.Short, TextInputStyle.Paragraph]);
  errors.length(`${at}.custom_id`, field["custom_id"], { min: 1, max: 100 });
  const { placeholder, max_length: max = 4_000 } = field;
  if (placeholder !== undefined) errors.length(`${at}.placeholder`, placeholder, { max: 100 });
  if (typeof max !== "number" || max < 1 || max > 4_000)
    errors.add(`${at}.max_length`, "NUMBER_TYPE_MAX", "int value should be between 1 and 4000.");
  const { value } = field;
  if (value !== undefined)
    errors.length(`${at}.value`, value, {
      max: typeof max === "number" ? Math.min(max, 4_000) : 4_000,
    });
  if (field["label"] !== undefined)
    errors.add(`${at}.label`, "COMPONENT_LABEL_INVALID", "A field in a label has none of its own");
}

/** What the client sends when a form was filled in; throws what it would not let a person send. */
export function filledForm(
  form: JsonObject,
  values: Readonly<Record<string, string>>,
): { readonly name: string; readonly data: JsonObject } {
  const fields = arrayOf(form["components"]).map((label) => objectOf(objectOf(label)["component"]));
  for (const name of Object.keys(values))
    if (!fields.some((field) => field["custom_id"] === name))
      throw new Error(`The form has no field ${name}.`);
  const components = fields.map((field, index) => {
    // What stood in a field and was left alone is sent as well.
    const left = field["value"];
    const value = values[String(field["custom_id"])] ?? (typeof left === "string" ? left : "");
    if (field["style"] === TextInputStyle.Short && value.includes("\n"))
      throw new Error("A field of one line has no line breaks.");
    if (value === "" && field["required"] !== false)
      throw new Error(`The form needs its field ${String(field["custom_id"])}.`);
    if (value.length > Number(field["max_length"] ?? 4_000))
      throw new Error("That is longer than the field.");
    const component = {
      type: field["type"],
      id: 2 * index + 2,
      custom_id: field["custom_id"],
      value,
    };
    return { type: ComponentType.Label, id: 2 * index + 1, component };
  });
  const name = String(form["custom_id"]);
  return { name, data: { custom_id: name, components } };
}
