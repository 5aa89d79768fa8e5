import { ComponentType, MessageFlags, type APIMessage } from "discord-api-types/v10";
import { characters, FormErrors } from "./api-error.ts";
import { arrayOf, isObject, objectOf } from "./json.ts";
import { validateComponents, validateEmbeds } from "./rest/message-validation.ts";

/** What another application's message has besides its words. */
export type AppMessage = Partial<Pick<APIMessage, "components" | "embeds" | "flags" | "poll">>;

/** Docs: Component Reference, Limits. */
const maxComponents = 40;
const maxTextCharacters = 4_000;
/** Those that may stand at the top of a message with Components V2. */
const topLevel: readonly unknown[] = [
  ComponentType.ActionRow,
  ComponentType.Section,
  ComponentType.TextDisplay,
  ComponentType.MediaGallery,
  ComponentType.File,
  ComponentType.Separator,
  ComponentType.Container,
];

/**
 * Refuses what the real service refuses of applications (docs: Create Message): a message with
 * Components V2 has no other content, one without it has only action rows. Throws 50035.
 */
export function validateAppMessage(content: string, message: AppMessage): void {
  const { components, embeds = [], poll } = message;
  const errors = new FormErrors();
  const isV2 = ((message.flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
  validateEmbeds(errors, "embeds", embeds);
  if (!isV2) validateComponents(errors, "components", components);
  else {
    const others = { content: content !== "", embeds: embeds.length > 0, poll: Boolean(poll) };
    for (const [field, isSet] of Object.entries(others))
      if (isSet)
        errors.add(
          field,
          "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
          `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
        );
    validateV2(errors, components);
  }
  errors.throwIfAny();
}

function validateV2(errors: FormErrors, components: unknown): void {
  for (const [index, { type }] of arrayOf(components).map(objectOf).entries())
    errors.choice(`components.${index}.type`, type, topLevel);
  const all = nested(components);
  if (all.length < 1 || all.length > maxComponents)
    errors.add("components", "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${maxComponents}.`);
  const texts = all.filter(({ type }) => type === ComponentType.TextDisplay);
  const length = texts.reduce((sum, { content }) => sum + characters(String(content)), 0);
  if (length > maxTextCharacters)
    errors.add(
      "components",
      "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
      `The total size of displayable text is over ${maxTextCharacters}`,
    );
}

/** All components with a type, at any depth. */
function nested(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(nested);
  if (!isObject(value)) return [];
  const inner = ["components", "accessory"].flatMap((key) => nested(value[key]));
  return "type" in value ? [value, ...inner] : inner;
}
