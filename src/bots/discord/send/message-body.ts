import { ButtonStyle, ComponentType, MessageFlags } from "discord.js";
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessageJSONBody,
} from "discord.js";
import { shorten } from "../../markdown/graphemes.ts";
import type { Chunk, SendOptions } from "../../../core/ports.ts";

type Buttons = NonNullable<SendOptions["buttons"]>;

const maxLabelUnits = 80;
const maxButtonsPerRow = 5;
const maxRows = 5;

const silentFlags: MessageFlags =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

/** Nothing that a model writes pings anybody, nor does an answer. */
const nobody = { parse: [], replied_user: false };

export function newMessage(
  { text }: Chunk,
  { replyTo, nonce, silent, buttons }: SendOptions,
): RESTPostAPIChannelMessageJSONBody {
  return {
    content: text,
    nonce,
    enforce_nonce: true,
    allowed_mentions: nobody,
    flags: silent ? silentFlags : MessageFlags.SuppressEmbeds,
    ...(buttons?.length ? { components: rowsOf(buttons) } : {}),
    ...(replyTo === undefined
      ? {}
      : {
          message_reference: { message_id: replyTo, fail_if_not_exists: false },
        }),
  };
}

/** Replaces the text and the buttons; without buttons those there were go away. */
export function editedMessage(
  { text }: Chunk,
  { buttons }: Pick<SendOptions, "buttons">,
): RESTPatchAPIChannelMessageJSONBody {
  return {
    content: text,
    allowed_mentions: nobody,
    components: rowsOf(buttons ?? []),
  };
}

function rowsOf(
  buttons: Buttons,
): APIActionRowComponent<APIButtonComponentWithCustomId>[] {
  const rows: APIActionRowComponent<APIButtonComponentWithCustomId>[] = [];
  for (
    let at = 0;
    at < buttons.length && rows.length < maxRows;
    at += maxButtonsPerRow
  )
    rows.push({
      type: ComponentType.ActionRow,
      components: buttons.slice(at, at + maxButtonsPerRow).map(buttonOf),
    });
  return rows;
}

function buttonOf({
  label,
  data,
}: Buttons[number]): APIButtonComponentWithCustomId {
  return {
    type: ComponentType.Button,
    style: styleOf(label),
    label: shorten(label, maxLabelUnits),
    custom_id: data,
  };
}

/** A button's words say what it is for; colours only repeat them. */
function styleOf(label: string): APIButtonComponentWithCustomId["style"] {
  if (/^(?:approve|allow)\b/i.test(label)) return ButtonStyle.Success;
  if (/^deny\b/i.test(label)) return ButtonStyle.Danger;
  return ButtonStyle.Secondary;
}
