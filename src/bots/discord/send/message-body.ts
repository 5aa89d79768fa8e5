import { ButtonStyle, ComponentType, MessageFlags } from "discord.js";
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessageJSONBody,
} from "discord.js";
import { shorten } from "../../markdown/graphemes.ts";
import type { Chunk, SendOptions } from "../../../core/ports.ts";
import { maxContentUnits } from "../format/limits.ts";

type Buttons = NonNullable<SendOptions["buttons"]>;

/** Discord knows a nonce for minutes only: what is sent again later says so. */
const repeatedLabel = "sent again: it may have arrived before";
const maxLabelUnits = 80;
const maxButtonsPerRow = 5;
const maxRows = 5;

const silentFlags: MessageFlags =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

/** Nothing that a model writes pings anybody, nor does an answer. */
const nobody = { parse: [], replied_user: false };

export function newMessage(
  { text }: Chunk,
  { replyTo, nonce, silent, buttons, repeated = false }: SendOptions,
): RESTPostAPIChannelMessageJSONBody {
  const label = repeated ? labelFor(text) : {};
  const rows = [...rowsOf(buttons ?? []), ...(label.row ? [label.row] : [])];
  return {
    content: text + (label.words ?? ""),
    nonce,
    enforce_nonce: true,
    allowed_mentions: nobody,
    flags: silent ? silentFlags : MessageFlags.SuppressEmbeds,
    ...(rows.length > 0 ? { components: rows } : {}),
    ...(replyTo === undefined
      ? {}
      : {
          message_reference: { message_id: replyTo, fail_if_not_exists: false },
        }),
  };
}

type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** Below the text or, where it has no room left, on a button that does nothing. */
function labelFor(text: string): {
  readonly words?: string;
  readonly row?: Row;
} {
  const words = `${text === "" ? "" : "\n"}-# (${repeatedLabel})`;
  if (text.length + words.length <= maxContentUnits) return { words };
  const button = buttonOf({ label: repeatedLabel, data: "repeated" });
  return {
    row: {
      type: ComponentType.ActionRow,
      components: [{ ...button, disabled: true }],
    },
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

function rowsOf(buttons: Buttons): Row[] {
  const rows: Row[] = [];
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
