import { GrammyError, HttpError } from "grammy";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/bots/telegram/send/outcome.ts";
import type { SendOutcome } from "../../../src/core/ports.ts";
import { decorations, type Decoration } from "../../../src/core/refusal.ts";

const send = { type: "send" } as const;
const edit = { type: "edit", messageId: "7" } as const;
const secret = "AAHsecret";

const refusal = (code: number, description: string, parameters = {}) =>
  new GrammyError(
    "Call to 'sendMessage' failed!",
    { ok: false, error_code: code, description, parameters },
    "sendMessage",
    {},
  );

/** As undici throws it; the message may hold anything. */
const network = (code: string, syscall = "read") =>
  new HttpError(
    "Network request for 'sendMessage' failed!",
    Object.assign(new Error(`${syscall} ${code} /bot1:${secret}/sendMessage`), { code, syscall }),
  );

describe("outcomeOf", () => {
  it.each<[string, unknown, SendOutcome["type"], SendOutcome["type"]]>([
    [
      "a flood limit",
      refusal(429, "Too Many Requests: retry after 5", { retry_after: 5 }),
      "retry",
      "retry",
    ],
    ["a block", refusal(403, "Forbidden: bot was blocked by the user"), "refused", "refused"],
    [
      "a kick",
      refusal(403, "Forbidden: bot was kicked from the supergroup chat"),
      "refused",
      "refused",
    ],
    ["a deleted account", refusal(403, "Forbidden: user is deactivated"), "refused", "refused"],
    ["a chat that is gone", refusal(400, "Bad Request: chat not found"), "refused", "refused"],
    [
      "a topic that is gone",
      refusal(400, "Bad Request: message thread not found"),
      "refused",
      "refused",
    ],
    [
      "missing rights",
      refusal(400, "Bad Request: not enough rights to send text messages to the chat"),
      "refused",
      "refused",
    ],
    [
      "a migrated group",
      refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
        migrate_to_chat_id: -1009,
      }),
      "refused",
      "refused",
    ],
    ["too long a text", refusal(400, "Bad Request: message is too long"), "refused", "refused"],
    [
      "an unchanged text",
      refusal(400, "Bad Request: message is not modified: specified new message content"),
      "refused",
      "sent",
    ],
    [
      "a deleted message",
      refusal(400, "Bad Request: message to edit not found"),
      "refused",
      "gone",
    ],
    ["somebody's message", refusal(400, "Bad Request: message can't be edited"), "refused", "gone"],
    ["a made-up message", refusal(400, "Bad Request: MESSAGE_ID_INVALID"), "refused", "gone"],
    ["a revoked token", refusal(401, "Unauthorized"), "retry", "retry"],
    ["a server that knows no such bot", refusal(404, "Not Found"), "retry", "retry"],
    ["trouble at Telegram", refusal(500, "Internal Server Error"), "unknown", "retry"],
    ["a gateway's trouble", refusal(502, "Bad Gateway"), "unknown", "retry"],
    ["a gateway's time limit", refusal(504, "Gateway Timeout"), "unknown", "retry"],
    ["a closed port", network("ECONNREFUSED", "connect"), "retry", "retry"],
    ["an unknown host", network("ENOTFOUND", "getaddrinfo"), "retry", "retry"],
    ["a name server's trouble", network("EAI_AGAIN", "getaddrinfo"), "retry", "retry"],
    ["no way there", network("ENETUNREACH", "connect"), "retry", "retry"],
    ["a slow connection attempt", network("ETIMEDOUT", "connect"), "retry", "retry"],
    ["a bad certificate", network("CERT_HAS_EXPIRED", "certificate has expired"), "retry", "retry"],
    ["a lost connection", network("ECONNRESET", "socket hang up"), "unknown", "retry"],
    [
      "no way to any of several addresses",
      new HttpError(
        "Network request for 'sendMessage' failed!",
        new AggregateError(
          ["connect ETIMEDOUT 1.2.3.4:443", "connect ETIMEDOUT ::1:443"].map(
            (text) => new Error(text),
          ),
        ),
      ),
      "retry",
      "retry",
    ],
    ["no connection in time", network("UND_ERR_CONNECT_TIMEOUT", "Connect"), "retry", "retry"],
    ["a connection that was closed", network("UND_ERR_SOCKET", "other side"), "unknown", "retry"],
    ["a stalled connection", network("ETIMEDOUT"), "unknown", "retry"],
    [
      "a time limit",
      new HttpError(
        "Network request for 'sendMessage' failed!",
        new Error("Request to 'sendMessage' timed out after 30 seconds"),
      ),
      "unknown",
      "retry",
    ],
    ["something else", new TypeError("x is not a function"), "unknown", "retry"],
    ["anything at all", "oops", "unknown", "retry"],
  ])("%s", (_, thrown, sending, editing) => {
    const outcomes = [outcomeOf(thrown, send), outcomeOf(thrown, edit)];
    expect(outcomes.map(({ type }) => type)).toEqual([sending, editing]);
    expect(JSON.stringify(outcomes)).not.toContain(secret);
  });

  it("obeys retry_after", () => {
    const thrown = refusal(429, "Too Many Requests", { retry_after: 126 });
    expect(outcomeOf(thrown, send)).toMatchObject({ retryAfterMs: 126_000 });
  });

  it("names the new chat of a migrated group", () => {
    const thrown = refusal(400, "Bad Request: group chat was upgraded", {
      migrate_to_chat_id: -1009,
    });
    expect(outcomeOf(thrown, send)).toMatchObject({
      cause: expect.stringContaining("-1009") as string,
    });
  });

  it.each([
    [403, "Forbidden: bot was blocked by the user"],
    [403, "Forbidden: bot was kicked from the group chat"],
    [403, "Forbidden: bot is not a member of the supergroup chat"],
    [403, "Forbidden: the group chat was deleted"],
    [403, "Forbidden: user is deactivated"],
    [403, "Forbidden: bot can't initiate conversation with a user"],
    [400, "Bad Request: chat not found"],
    [400, "Bad Request: group chat was deactivated"],
    [400, "Bad Request: message thread not found"],
    [400, "Bad Request: TOPIC_DELETED"],
    [400, "Bad Request: CHANNEL_PRIVATE"],
    [400, "Bad Request: CHANNEL_INVALID"],
    [400, "Bad Request: USER_IS_BLOCKED"],
  ])("knows a dead chat by %i %s", (code, description) => {
    expect(outcomeOf(refusal(code, description), send)).toMatchObject({ isChatDead: true });
  });

  it.each([
    "Bad Request: not enough rights to send text messages to the chat",
    "Bad Request: TOPIC_CLOSED",
    "Bad Request: message is too long",
    "Bad Request: message to be replied not found",
  ])("takes %s for no sign of one", (description) => {
    expect(outcomeOf(refusal(400, description), send)).not.toHaveProperty("isChatDead");
  });

  it("keeps the edited message's id", () => {
    const thrown = refusal(400, "Bad Request: message is not modified");
    expect(outcomeOf(thrown, edit)).toEqual({ type: "sent", messageId: "7" });
  });
});

const all: ReadonlySet<Decoration> = new Set(decorations);
const plain: ReadonlySet<Decoration> = new Set(["markup", "reply", "flags", "buttons"]);

describe("a refusal", () => {
  it.each<[Decoration, string]>([
    ["markup", "can't parse entities: unsupported type"],
    ["markup", "receive an entity with incorrect offset"],
    ["markup", "ENTITY_BOUNDS_INVALID"],
    ["markup", "entity URL 'x' is invalid: wrong HTTP URL"],
    ["reply", "message to be replied not found"],
    ["reply", "replied message not found"],
    ["reply", "reply message not found"],
    ["reply", "REPLY_MESSAGE_ID_INVALID"],
    ["reply", "QUOTE_TEXT_INVALID"],
    ["thread", "message thread not found"],
    ["thread", "TOPIC_CLOSED"],
    ["thread", "TOPIC_DELETED"],
    ["thread", "TOPIC_ID_INVALID"],
    ["buttons", "BUTTON_DATA_INVALID"],
    ["buttons", "BUTTON_URL_INVALID"],
    ["buttons", "BUTTON_TYPE_INVALID"],
    ["buttons", "REPLY_MARKUP_INVALID"],
    ["buttons", "reply markup is too long"],
    ["buttons", "can't parse inline keyboard button: text buttons are unallowed"],
    ["file", "DOCUMENT_INVALID"],
    ["file", "wrong file identifier/HTTP URL specified"],
    ["file", "not enough rights to send documents to the chat"],
  ])("is about the %s: %s", (about, description) => {
    expect(outcomeOf(refusal(400, `Bad Request: ${description}`), send, all)).toMatchObject({
      type: "refused",
      about,
    });
  });

  it("that no one knows is tried with less and less", () => {
    const thrown = refusal(400, "Bad Request: SOMETHING_NEW_INVALID");
    const left = new Set(plain);
    const order: unknown[] = [];
    for (;;) {
      const outcome = outcomeOf(thrown, send, left);
      const about = outcome.type === "refused" ? outcome.about : undefined;
      if (about === undefined) break;
      order.push(about);
      left.delete(about);
    }
    expect(order).toEqual(["markup", "reply", "flags", "buttons"]);
  });

  it.each([
    ["closed", 400, "Bad Request: TOPIC_CLOSED"],
    ["gone", 400, "Bad Request: message thread not found"],
    ["gone", 400, "Bad Request: chat not found"],
    ["gone", 403, "Forbidden: bot was kicked from the supergroup chat"],
    ["gone", 400, "Bad Request: CHANNEL_PRIVATE"],
    ["gone", 400, "Bad Request: CHANNEL_INVALID"],
    ["blocked", 403, "Forbidden: bot was blocked by the user"],
    ["blocked", 400, "Bad Request: USER_IS_BLOCKED"],
    ["forbidden", 400, "Bad Request: not enough rights to send text messages to the chat"],
    ["forbidden", 400, "Bad Request: CHAT_WRITE_FORBIDDEN"],
    ["forbidden", 400, "Bad Request: have no rights to send a message"],
  ])("of everything is %s: %i %s", (reason, code, description) => {
    const outcome = outcomeOf(refusal(code, description), send, plain);
    expect(outcome).toMatchObject({ type: "refused", reason });
    expect(outcome).not.toHaveProperty("about");
  });

  it.each(["message is too long", "message text is empty", "text must be non-empty"])(
    "of the words is no decoration's: %s",
    (description) => {
      const outcome = outcomeOf(refusal(400, `Bad Request: ${description}`), send, plain);
      expect(outcome).not.toHaveProperty("about");
    },
  );

  it.each([
    [409, "Conflict: terminated by other request"],
    [400, "Bad Request: MSG_WAIT_FAILED"],
    [400, "Bad Request: FLOOD_WAIT_3"],
    [400, "Bad Request: temporarily unavailable, try again later"],
  ])("that passes is tried again: %i %s", (code, description) => {
    expect(outcomeOf(refusal(code, description), send, all).type).toBe("retry");
  });
});
