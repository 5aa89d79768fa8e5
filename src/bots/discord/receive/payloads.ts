import type {
  ApplicationCommandType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  MessageType,
} from "discord.js";
import { z } from "zod";

/** One of Discord's numbers; it may be newer than our list of them. */
const numbered = <Type extends number>() =>
  z.custom<Type>((value) => typeof value === "number");

/** One of Discord's ids: 64 bits in decimal. */
export const idSchema = z.string().regex(/^\d{1,20}$/);

/** The parts of Discord's payloads that we read; the rest is let through unread. */
const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});
export type UserPayload = z.infer<typeof userSchema>;

const memberSchema = z.object({ nick: z.string().nullish() });
export type MemberPayload = z.infer<typeof memberSchema>;

/** MESSAGE_CREATE. */
export const messageSchema = z.object({
  id: idSchema,
  channel_id: idSchema,
  guild_id: idSchema.optional(),
  type: numbered<MessageType>(),
  author: userSchema,
  member: memberSchema.optional(),
  webhook_id: z.string().optional(),
  content: z.string(),
  mentions: z.array(userSchema.extend({ member: memberSchema.optional() })),
  /** Null: the message it answers was deleted. */
  referenced_message: z
    .object({ author: z.object({ id: z.string() }) })
    .nullish(),
});
export type MessagePayload = z.infer<typeof messageSchema>;

const channelSchema = z.object({
  id: z.string(),
  type: z.number(),
  parent_id: z.string().nullish(),
});

export interface OptionPayload {
  readonly name: string;
  readonly value?: string | number | boolean | undefined;
  readonly options?: readonly OptionPayload[] | undefined;
}
const optionSchema: z.ZodType<OptionPayload> = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  get options() {
    return z.array(optionSchema).optional();
  },
});

/** Enough to answer an interaction, however odd the rest of it is. */
export const handleSchema = z.object({
  id: z.string(),
  application_id: z.string(),
  token: z.string(),
});

/** INTERACTION_CREATE. */
export const interactionSchema = handleSchema.extend({
  id: idSchema,
  type: numbered<InteractionType>(),
  guild_id: idSchema.optional(),
  channel_id: idSchema,
  channel: channelSchema,
  /** 0 guild, 1 direct message with the bot, 2 another private channel. */
  context: numbered<InteractionContextType>().nullish(),
  /** What the bot may do in the channel: a bit set in decimal. */
  app_permissions: z.string().regex(/^\d+$/).optional(),
  locale: z.string().optional(),
  member: memberSchema.extend({ user: userSchema }).optional(),
  user: userSchema.optional(),
  message: z.object({ id: z.string() }).optional(),
  data: z.unknown(),
});
export type InteractionPayload = z.infer<typeof interactionSchema>;

export const commandDataSchema = z.object({
  name: z.string(),
  type: numbered<ApplicationCommandType>().optional(),
  options: z.array(optionSchema).optional(),
});

export const componentDataSchema = z.object({
  custom_id: z.string(),
  component_type: numbered<ComponentType>(),
});
