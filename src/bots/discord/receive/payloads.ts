import type {
  ApplicationCommandType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  MessageReferenceType,
  MessageType,
} from "discord.js";
import { z } from "zod";
import { attachmentSchema, contentSchema, listOf, numbered, optional } from "./content.ts";

/** One of Discord's ids: 64 bits in decimal. */
export const idSchema = z.string().regex(/^\d{1,20}$/);

/** The parts of Discord's payloads that we read; the rest is let through unread. */
const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  global_name: optional(z.string()),
  bot: optional(z.boolean()),
  /** Discord's own accounts, which write to people about their servers. */
  system: optional(z.boolean()),
});
export type UserPayload = z.infer<typeof userSchema>;

const memberSchema = z.object({ nick: optional(z.string()) });
export type MemberPayload = z.infer<typeof memberSchema>;

/** A message that is answered, forwarded or chosen from a menu. */
export const pointedSchema = contentSchema.extend({
  id: optional(idSchema),
  author: userSchema,
  /** The content of a forward: copies without their authors. */
  message_snapshots: listOf(z.object({ message: contentSchema })),
  message_reference: optional(
    z.object({
      type: optional(numbered<MessageReferenceType>()),
      message_id: optional(idSchema),
      channel_id: optional(idSchema),
    }),
  ),
});
export type PointedPayload = z.infer<typeof pointedSchema>;

/** MESSAGE_CREATE and, where a person has changed what they wrote, MESSAGE_UPDATE. */
export const messageSchema = pointedSchema.extend({
  id: idSchema,
  channel_id: idSchema,
  /** Absent: a direct message, so that a malformed one must not count as absent. */
  guild_id: idSchema.optional(),
  type: numbered<MessageType>(),
  member: optional(memberSchema),
  webhook_id: optional(z.string()),
  /** The app that wrote it; a malformed one is still an app's. */
  application_id: z.string().nullish().catch(""),
  mentions: listOf(userSchema.extend({ member: optional(memberSchema) })),
  /** Ids. */
  mention_roles: listOf(z.string()),
  /** ISO 8601; absent: never edited. */
  edited_timestamp: optional(z.string()),
  /** Null: the message it answers was deleted. Absent: Discord didn't look it up. */
  referenced_message: pointedSchema.nullish().catch(undefined),
  /** The thread that was started from this message. */
  thread: optional(z.object({ id: idSchema, owner_id: optional(z.string()) })),
});
export type MessagePayload = z.infer<typeof messageSchema>;

const channelSchema = z.object({
  id: idSchema,
  type: z.number(),
  parent_id: idSchema.nullish(),
});

export interface OptionPayload {
  readonly name: string;
  readonly type?: number | undefined;
  /** The person is typing into it. */
  readonly focused?: boolean | undefined;
  readonly value?: string | number | boolean | undefined;
  readonly options?: readonly OptionPayload[] | undefined;
}
const optionSchema: z.ZodType<OptionPayload> = z.object({
  name: z.string(),
  type: z.number().optional(),
  focused: z.boolean().optional(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  get options() {
    return z.array(optionSchema).optional();
  },
});

/** Valid parts of an address: a request for anything else can never succeed. */
const addressPart = z.string().regex(/^[!-~]+$/);

/** Enough to answer an interaction, however odd the rest of it is. */
export const handleSchema = z.object({
  id: addressPart,
  application_id: addressPart,
  token: addressPart,
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
  /**
   * The installations by which it may be used here, with their owners: 0 the server's, 1 the
   * person's own.
   */
  authorizing_integration_owners: z.record(z.string(), z.string()).optional(),
  /** The bot's permissions in the channel: a bit set in decimal. */
  app_permissions: z.string().regex(/^\d+$/).optional(),
  locale: z.string().optional(),
  member: memberSchema
    .extend({
      user: userSchema,
      /** The person's permissions in this channel: a bit set in decimal. */
      permissions: z.string().regex(/^\d+$/).optional(),
    })
    .optional(),
  user: userSchema.optional(),
  message: z.object({ id: z.string() }).optional(),
  data: z.unknown(),
});
export type InteractionPayload = z.infer<typeof interactionSchema>;

export const commandDataSchema = z.object({
  name: z.string(),
  type: numbered<ApplicationCommandType>().optional(),
  options: z.array(optionSchema).optional(),
  /** Of a menu: what it was opened on. */
  target_id: z.string().optional(),
  /** The objects that ids in the options and the target refer to. */
  resolved: z
    .object({
      attachments: z.record(z.string(), attachmentSchema).optional(),
      messages: z.record(z.string(), z.unknown()).optional(),
      users: z.record(z.string(), userSchema).optional(),
      members: z.record(z.string(), memberSchema).optional(),
    })
    .optional(),
});

export const componentDataSchema = z.object({
  custom_id: z.string(),
  component_type: numbered<ComponentType>(),
});

const fieldSchema = z.object({ custom_id: z.string(), value: z.string() });

/** A submitted form. */
export const formDataSchema = z.object({
  custom_id: z.string(),
  components: z.array(z.object({ component: fieldSchema })),
});
