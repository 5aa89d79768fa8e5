import { MessageFlags, type APIEmbed } from "discord-api-types/v10";
import type { Components, Revision, StoredMessage } from "./model.ts";

interface FileView {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly description: string | undefined;
}

/** A message as a test sees it: a copy of this moment. */
export interface MessageView {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly embeds: APIEmbed[];
  readonly components: Components;
  readonly flags: number;
  /** A deferred answer that no one has filled yet ("is thinking…"). */
  readonly loading: boolean;
  readonly referenceId: string | undefined;
  readonly ephemeralFor: string | undefined;
  readonly interactionId: string | undefined;
  readonly nonce: string | number | undefined;
  /** Ids of the people it pinged. */
  readonly mentions: readonly string[];
  readonly editCount: number;
  /** Every version, the first and the present one included. */
  readonly history: readonly Revision[];
  readonly attachments: readonly FileView[];
  /** Emoji → ids of those who reacted. */
  readonly reactions: Readonly<Record<string, readonly string[]>>;
}

export function messageView(message: StoredMessage): MessageView {
  const { content, embeds, components, attachments, mentions, revisions } = message;
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: message.authorId,
    ...structuredClone({
      content,
      embeds,
      components,
      mentions,
      history: revisions,
    }),
    flags: message.flags,
    loading: (message.flags & MessageFlags.Loading) !== 0,
    referenceId: message.referenceId,
    ephemeralFor: message.ephemeralFor,
    interactionId: message.interactionId,
    nonce: message.nonce,
    editCount: revisions.length - 1,
    attachments: attachments.map(({ filename: name, id, contentType, bytes, description }) => ({
      id,
      name,
      contentType,
      bytes,
      description,
    })),
    reactions: Object.fromEntries([...message.reactions].map(([emoji, ids]) => [emoji, [...ids]])),
  };
}

/** What a test looks for: text inside the content or an embed, or a condition. */
export type MessageMatch = string | ((message: MessageView) => boolean);

export function matches(message: MessageView, match: MessageMatch): boolean {
  if (typeof match === "function") return match(message);
  const texts = message.embeds.flatMap((embed) => [
    embed.title,
    embed.description,
    embed.footer?.text,
    ...(embed.fields ?? []).flatMap((field) => [field.name, field.value]),
  ]);
  return [message.content, ...texts].some((text) => text?.includes(match));
}
