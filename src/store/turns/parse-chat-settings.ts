import { chatSettingsSchema, type ChatSettings } from "../../core/chat-settings.ts";

/**
 * A chat's settings, as far as this version understands them: an unreadable field counts as not
 * set, since one bad value must not silence a chat for ever.
 */
export function parseChatSettings(fields: ReadonlyMap<string, string>): ChatSettings {
  const known = Object.entries(chatSettingsSchema.shape).flatMap(
    ([name, schema]): [string, string][] => {
      const value = fields.get(name);
      return value !== undefined && schema.safeParse(value).success ? [[name, value]] : [];
    },
  );
  return chatSettingsSchema.parse(Object.fromEntries(known));
}
