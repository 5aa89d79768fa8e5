import { expect, it } from "vitest";
import { mentionOf, newMessageOptions } from "../../../src/bots/telegram/send/message-options.ts";

const replyFrom = { id: "telegram:42", name: "Ann" };
const inChat = (chat: string) => ({ platform: "telegram", bot: "7", chat }) as const;
const options = { nonce: "n", final: true } as const;
const markupIn = (chat: string, more: object = { replyFrom }) =>
  newMessageOptions(inChat(chat), { ...options, ...more }, chat).reply_markup;

it("a reply is opened for the person: in a group for them alone, with a mention", () => {
  expect(markupIn("42")).toEqual({ force_reply: true });
  expect(mentionOf(inChat("42"), { ...options, replyFrom })).toBeUndefined();
  expect(markupIn("-1001")).toEqual({ force_reply: true, selective: true });
  expect(mentionOf(inChat("-1001"), { ...options, replyFrom })).toEqual({
    type: "text_mention",
    offset: 0,
    length: 3,
    user: { id: 42, is_bot: false, first_name: "Ann" },
  });
});

it("no reply is opened for other messages", () => {
  expect(markupIn("-1001", {})).toBeUndefined();
  expect(mentionOf(inChat("-1001"), options)).toBeUndefined();
});
