import { ComponentType, TextInputStyle } from "discord.js";
import type { APIModalInteractionResponseCallbackData } from "discord.js";
import { parseCommandData, type InboundForm } from "../../../core/inbound.ts";
import { editData } from "../../../core/outbox.ts";
import { arrivalOf } from "./arrival.ts";
import type { InteractionContext } from "./arrival.ts";
import type { Asked } from "./asked.ts";
import { formDataSchema } from "./payloads.ts";
import type { InteractionPayload } from "./payloads.ts";

/** Characters; Discord's own limit for a field. */
const maxFieldLength = 4_000;

const isEdit = (data: string): boolean => data.startsWith(editData(""));

/** Whether a button with this data opens a form, and a form with it brings that back. Pure. */
export const opensForm = (data: string): boolean =>
  isEdit(data) || parseCommandData(data)?.isForm === true;

/** A form of the ingress in Discord's format. Pure. */
export const modalOf = ({
  data,
  title,
  fields,
}: InboundForm): APIModalInteractionResponseCallbackData => ({
  custom_id: data,
  title,
  components: fields.map(({ id, label, value, long }) => ({
    type: ComponentType.Label,
    label,
    component: {
      type: ComponentType.TextInput,
      custom_id: id,
      style: long ? TextInputStyle.Paragraph : TextInputStyle.Short,
      required: false,
      max_length: maxFieldLength,
      ...(value === "" ? {} : { value }),
    },
  })),
});

/**
 * Pure. What was sent with such a form: a command, or a tap on the button of a card. Undefined:
 * another form.
 */
export function sentBack(
  interaction: InteractionPayload,
  context: InteractionContext,
): Asked | undefined {
  const form = formDataSchema.safeParse(interaction.data).data;
  const arrival = arrivalOf(interaction, context);
  if (!form || !arrival || !opensForm(form.custom_id)) return undefined;
  const { message } = interaction;
  const filled = Object.fromEntries(
    form.components.map(({ component }) => [component.custom_id, component.value]),
  );
  const command = parseCommandData(form.custom_id);
  if (command !== undefined)
    return {
      type: "command",
      inbound: {
        ...arrival,
        type: "command",
        name: command.command,
        argument: command.argument,
        options: { ...filled, form: command.argument },
        answersItself: true,
      },
      startsTurn: false,
    };
  return {
    type: "tap",
    inbound: {
      ...arrival,
      type: "tap",
      data: form.custom_id,
      filled,
      ...(message ? { messageId: message.id } : {}),
    },
  };
}
