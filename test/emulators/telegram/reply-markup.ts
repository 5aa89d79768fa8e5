import type { InlineKeyboardButton, InlineKeyboardMarkup } from "@grammyjs/types";
import { badRequest } from "./api-error.ts";
import { linkProblem } from "./links.ts";
import { isRecord, jsonField, type Payload } from "./parameters.ts";

/** Bytes of `callback_data`. https://core.telegram.org/bots/api#inlinekeyboardbutton */
const maxDataBytes = 64;
/** Buttons of one inline keyboard. https://limits.tginfo.me */
const maxButtons = 100;

const buttonKinds = [
  "url",
  "callback_data",
  "web_app",
  "login_url",
  "disabled",
  "switch_inline_query",
  "switch_inline_query_current_chat",
  "switch_inline_query_chosen_chat",
  "copy_text",
  "callback_game",
  "pay",
];

/**
 * The inline keyboard of a call; undefined when there is none or it is empty. Other kinds of markup
 * are let through.
 */
export function readReplyMarkup(payload: Payload): InlineKeyboardMarkup | undefined {
  const markup = jsonField(payload, "reply_markup", "reply keyboard markup");
  if (markup === undefined) return undefined;
  if (!isRecord(markup)) throw badRequest("object expected as reply markup");
  const rows = markup["inline_keyboard"];
  if (rows === undefined) {
    const known = ["keyboard", "remove_keyboard", "force_reply"];
    if (known.some((name) => name in markup)) return undefined;
    throw badRequest("object expected as reply markup");
  }
  if (!Array.isArray(rows))
    throw badRequest('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array');
  const keyboard = rows.map((row: unknown) => {
    if (!Array.isArray(row))
      throw badRequest("can't parse inline keyboard: row must be an Array of InlineKeyboardButton");
    return row.map((button: unknown) => checkButton(button));
  });
  const filled = keyboard.filter((row) => row.length > 0);
  if (filled.flat().length > maxButtons) throw badRequest("reply markup is too long");
  return filled.length === 0 ? undefined : { inline_keyboard: filled };
}

function checkButton(button: unknown): InlineKeyboardButton {
  const failure = "can't parse inline keyboard button";
  if (!isRecord(button)) throw badRequest(`${failure}: expected an Object`);
  const { text } = button;
  if (typeof text !== "string") throw badRequest(`${failure}: can't find field "text"`);
  if (!text.isWellFormed()) throw badRequest("strings must be encoded in UTF-8");
  if (text.trim() === "") throw badRequest("inline keyboard button text must be non-empty");
  const kinds = buttonKinds.filter((kind) => button[kind] !== undefined);
  if (kinds.length !== 1)
    throw badRequest(`${failure}: text buttons are unallowed in the inline keyboard`);
  if (kinds[0] === "callback_data") checkData(button["callback_data"]);
  if (kinds[0] === "url") {
    const url = String(button["url"]);
    const problem = linkProblem(url);
    if (problem !== undefined)
      throw badRequest(`inline keyboard button URL '${url}' is invalid: ${problem}`);
  }
  return button as unknown as InlineKeyboardButton;
}

function checkData(data: unknown): void {
  const bytes = typeof data === "string" ? Buffer.byteLength(data) : 0;
  if (bytes < 1 || bytes > maxDataBytes) throw badRequest("BUTTON_DATA_INVALID");
  if (!(data as string).isWellFormed()) throw badRequest("strings must be encoded in UTF-8");
}
