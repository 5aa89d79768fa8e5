import { ComponentType, TextInputStyle } from "discord.js";
import type { APIModalInteractionResponseCallbackData } from "discord.js";
import type { z } from "zod";
import { isBlank } from "../../../text/blank.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import type { Locale } from "../../../locales/locale.ts";
import { arrivalOf, openingFor } from "./arrival.ts";
import type { InteractionContext } from "./arrival.ts";
import type { Asked } from "./asked.ts";
import { pointedFilesOf } from "./attachments.ts";
import { formDataSchema, pointedSchema } from "./payloads.ts";
import type { InteractionPayload, commandDataSchema } from "./payloads.ts";
import type { PointedAt } from "./pointed-messages.ts";
import { quoted } from "./quoted.ts";
import { quoteOf } from "./quote.ts";

const formPrefix = "about:";
/** Characters; Discord's own limit for a field. */
const maxQuestionLength = 4_000;

/**
 * Pure. What was chosen from the menu. Undefined: nothing that we can read, or one of Discord's own
 * messages without any more.
 */
export function chosen(
  interaction: InteractionPayload,
  botId: string,
  { target_id: id = "", resolved }: z.infer<typeof commandDataSchema>,
): PointedAt | undefined {
  const { guild_id: guild = "@me", channel_id: channel, member } = interaction;
  const message = pointedSchema.safeParse(resolved?.messages?.[id]).data;
  const user = member?.user ?? interaction.user;
  if (!message || !user || !quoteOf({ ...message, type: undefined }, botId)) return undefined;
  const link = `https://discord.com/channels/${guild}/${channel}/${id}`;
  return { personId: user.id, message, link };
}

/** The form that asks for the question about the message. */
export const questionForm = (
  interactionId: string,
  { discord, platform }: Pick<Locale, "discord" | "platform">,
): APIModalInteractionResponseCallbackData => ({
  custom_id: `${formPrefix}${interactionId}`,
  title: discord.askAboutThis,
  components: [
    {
      type: ComponentType.Label,
      label: discord.yourQuestion,
      component: {
        type: ComponentType.TextInput,
        custom_id: "question",
        style: TextInputStyle.Paragraph,
        placeholder: platform.whatAboutThis,
        required: false,
        max_length: maxQuestionLength,
      },
    },
  ],
});

/** Pure. The question that was sent with the form. Undefined: not our form. */
export function filledIn(
  interaction: InteractionPayload,
  context: InteractionContext,
): Asked | undefined {
  const { botId, pointed, fetchFile } = context;
  const { discord, platform } = localeFor(interaction.locale, "discord");
  const data = formDataSchema.safeParse(interaction.data).data;
  const arrival = arrivalOf(interaction, context);
  if (!data?.custom_id.startsWith(formPrefix) || !arrival) return undefined;
  const at = pointed.recall(data.custom_id.slice(formPrefix.length));
  // A client that was tampered with can send any form.
  if (!at || `discord:${at.personId}` !== arrival.person.id)
    return { type: "nothing", text: discord.forgotten };
  const written = data.components[0]?.component.value ?? "";
  const text = isBlank(written) ? platform.whatAboutThis : written.trim();
  const quote = quoteOf(at.message, botId);
  const { message } = at;
  const attachments = [message, ...message.message_snapshots.map((each) => each.message)].flatMap(
    (each) => pointedFilesOf(each, fetchFile),
  );
  return {
    type: "question",
    inbound: {
      ...arrival,
      type: "message",
      text,
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(quote === undefined ? {} : { quote }),
      ...openingFor(interaction, context),
      answersItself: true,
    },
    echo: `${quoted(text)}\n-# ${discord.about(at.link)}`,
  };
}
