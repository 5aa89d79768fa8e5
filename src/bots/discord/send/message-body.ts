import { ButtonStyle, ComponentType, MessageFlags } from "discord.js";
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessageJSONBody,
} from "discord.js";
import { shorten } from "../../markdown/graphemes.ts";
import type { Chunk, SendOptions } from "../../../core/ports.ts";
import { decorations, type Decoration } from "../../../core/refusal.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import { maxContentUnits } from "../format/limits.ts";

type Buttons = NonNullable<SendOptions["buttons"]>;

const maxLabelUnits = 80;
const maxButtonsPerRow = 5;
const maxRows = 5;

const silentFlags: MessageFlags = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

/** Neither text of a model nor a reply pings anyone. */
const nobody = { parse: [], replied_user: false };

export function newMessage(
  { text }: Chunk,
  options: SendOptions,
): RESTPostAPIChannelMessageJSONBody {
  const { replyTo, nonce, silent, buttons, repeated = false, language, without } = options;
  // Discord knows a nonce for minutes only: what is sent again later says so.
  const { sentAgain } = localeFor(language, "discord").delivery;
  const label = repeated ? labelFor(text, sentAgain) : {};
  const rows = without?.has("buttons")
    ? []
    : [...rowsOf(buttons ?? []), ...(label.row ? [label.row] : [])];
  return {
    content: text + (label.words ?? ""),
    nonce,
    enforce_nonce: true,
    allowed_mentions: nobody,
    ...(without?.has("flags") ? {} : { flags: silent ? silentFlags : MessageFlags.SuppressEmbeds }),
    ...(rows.length > 0 ? { components: rows } : {}),
    ...(replyTo === undefined || without?.has("reply")
      ? {}
      : {
          message_reference: { message_id: replyTo, fail_if_not_exists: false },
        }),
  };
}

type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** Below the text or, where it has no room left, on a button that does nothing. */
function labelFor(
  text: string,
  label: string,
): {
  readonly words?: string;
  readonly row?: Row;
} {
  const words = `${text === "" ? "" : "\n"}-# (${label})`;
  if (text.length + words.length <= maxContentUnits) return { words };
  const button = buttonOf({ label, data: "repeated" });
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
  { buttons, without }: Pick<SendOptions, "buttons" | "without">,
): RESTPatchAPIChannelMessageJSONBody {
  return {
    content: text,
    allowed_mentions: nobody,
    components: without?.has("buttons") ? [] : rowsOf(buttons ?? []),
  };
}

/** Parts of a request next to its words. */
export function decorationsOf(
  { components = [], message_reference: reference, flags }: RESTPostAPIChannelMessageJSONBody,
  { isFile, canReply }: { readonly isFile: boolean; readonly canReply: boolean },
): ReadonlySet<Decoration> {
  const has: Partial<Record<Decoration, boolean>> = {
    file: isFile,
    reply: canReply && reference !== undefined,
    flags: flags !== undefined,
    buttons: components.length > 0,
  };
  return new Set(decorations.filter((each) => has[each]));
}

function rowsOf(buttons: Buttons): Row[] {
  // A card of several calls: what is for all first, then the pairs of two calls in a row.
  const isOfSeveral = decides.forAll.test(buttons[0]?.data ?? "");
  const ofOne = isOfSeveral ? buttons.filter(({ data }) => decides.forOne.test(data)) : [];
  const others = buttons.filter((button) => !ofOne.includes(button));
  const groups = [...inGroups(others, maxButtonsPerRow), ...inGroups(ofOne, 4)];
  return groups.slice(0, maxRows).map((group) => ({
    type: ComponentType.ActionRow,
    components: group.map(buttonOf),
  }));
}

function inGroups(buttons: Buttons, size: number): Buttons[] {
  const groups: Buttons[] = [];
  for (let at = 0; at < buttons.length; at += size) groups.push(buttons.slice(at, at + size));
  return groups;
}

function buttonOf({ label, data }: Buttons[number]): APIButtonComponentWithCustomId {
  return {
    type: ComponentType.Button,
    style: styleOf(data),
    label: shorten(label, maxLabelUnits),
    custom_id: data,
  };
}

/** The data of buttons that decide about an approval or a person who asks for access. */
const decides = { forAll: /^[ad]a:/, forOne: /^[ad]:/, yes: /^(?:aa?|pa):/, no: /^(?:da?|pd):/ };

/** A button's words say what it is for; colours only repeat them, in every language. */
function styleOf(data: string): APIButtonComponentWithCustomId["style"] {
  if (decides.yes.test(data)) return ButtonStyle.Success;
  if (decides.no.test(data)) return ButtonStyle.Danger;
  return ButtonStyle.Secondary;
}
