import { ApiError, badRequest, forbidden, tooManyRequests } from "./api-error.ts";
import {
  type ChatState,
  checkAccess,
  checkThread,
  isForum,
  type StoredMessage,
} from "./chat-state.ts";
import { cleanText, isInvisible } from "./clean-text.ts";
import {
  checkEntities,
  type FormattedText,
  maxCaptionUnits,
  maxEntities,
  maxTextUnits,
} from "./formatted-text.ts";
import { booleanField, integerField, isRecord, jsonField, textField } from "./parameters.ts";
import type { Call, ViolationKind, World } from "./world.ts";

export interface MethodContext {
  readonly world: World;
  readonly call: Call;
}

/** A Bot API method: returns its `result` or throws an `ApiError`. */
export type Method = (context: MethodContext) => unknown;

/** The chat of `chat_id`, reachable by the bot or not; see `openChat`. */
export function findChat({ world, call }: MethodContext): ChatState {
  const id = textField(call.payload, "chat_id").trim();
  if (id === "") throw badRequest("chat_id is empty");
  const state = id.startsWith("@")
    ? [...world.chats.values()].find(
        ({ chat }) => chat.type !== "private" && chat.username === id.slice(1),
      )
    : world.chats.get(Number(id));
  if (state !== undefined) return state;
  if (world.people.has(Number(id))) throw forbidden("bot can't initiate conversation with a user");
  throw badRequest("chat not found");
}

/** The chat of `chat_id`, if the bot may write there. */
export function openChat(context: MethodContext): ChatState {
  const state = findChat(context);
  checkAccess(state);
  return state;
}

/** Like `openChat`, and counts against the chat's flood limit. */
export function openChatForWriting(context: MethodContext): ChatState {
  const state = openChat(context);
  checkPace(context, state);
  return state;
}

function checkPace({ world, call }: MethodContext, state: ChatState): void {
  const now = Date.now();
  const leftMs = state.limitedUntilMs - now;
  // 50 ms of grace: the clocks of two processes and their timers.
  if (leftMs > 50)
    world.violate(
      "called-during-retry-after",
      call.method,
      `chat ${state.id} was limited for another ${leftMs} ms`,
    );
  const limit = world.options.floodLimit;
  if (limit === undefined) return;
  if (leftMs > 50) throw tooManyRequests(Math.ceil(leftMs / 1000));
  while ((state.sentAtMs[0] ?? now) <= now - 1000) state.sentAtMs.shift();
  if (state.sentAtMs.length >= limit.perChatPerSecond) {
    const retryAfterSeconds = limit.retryAfterSeconds ?? 1;
    state.limitedUntilMs = now + retryAfterSeconds * 1000;
    throw tooManyRequests(retryAfterSeconds);
  }
  state.sentAtMs.push(now);
}

/** The checked thread of a send; `undefined` outside topics. */
export function readThread(
  { call }: MethodContext,
  state: ChatState,
  allowGeneral = false,
): number | undefined {
  const threadId = integerField(call.payload, "message_thread_id");
  checkThread(state, threadId, allowGeneral);
  const hasTopics = state.chat.type === "private" || isForum(state);
  return threadId === 0 || !hasTopics ? undefined : threadId;
}

/**
 * The message that a send replies to; undefined also when it is gone and
 * `allow_sending_without_reply` is set.
 */
export function readReplyTo({ call }: MethodContext, state: ChatState): StoredMessage | undefined {
  const { payload } = call;
  const given = jsonField(payload, "reply_parameters", "reply parameters");
  if (given !== undefined && !isRecord(given))
    throw badRequest("object expected as reply parameters");
  const parameters = given ?? {
    message_id: payload["reply_to_message_id"],
    allow_sending_without_reply: payload["allow_sending_without_reply"],
  };
  const messageId = integerField(parameters, "message_id");
  if (messageId === undefined) return undefined;
  const target = state.messages.get(messageId);
  if (target !== undefined) return target;
  if (booleanField(parameters, "allow_sending_without_reply")) return undefined;
  throw badRequest("message to be replied not found");
}

/** Text or caption with its entities, checked, cleaned and measured as the server does. */
export function readText(context: MethodContext, kind: "text" | "caption"): FormattedText {
  const { payload } = context.call;
  const isText = kind === "text";
  const raw = watched(context, "bad-text", () => textField(payload, kind));
  if (isText && raw === "") throw badRequest("message text is empty");
  if (textField(payload, "parse_mode") !== "") refuseParseMode(context);
  const field = isText ? "entities" : "caption_entities";
  const entities = watched(context, "bad-text", () =>
    checkEntities(raw, jsonField(payload, field, field)),
  );
  if (entities.length > maxEntities)
    context.world.violate("too-many-entities", context.call.method, `${entities.length} entities`);
  const cleaned = cleanText(raw, entities.slice(0, maxEntities));
  if (isText && isInvisible(cleaned.text)) throw badRequest("text must be non-empty");
  if (cleaned.text.length > (isText ? maxTextUnits : maxCaptionUnits))
    return watched(context, "too-long", () => {
      throw badRequest(isText ? "message is too long" : "message caption is too long");
    });
  return cleaned;
}

function refuseParseMode({ world, call }: MethodContext): void {
  if (world.options.allowParseMode) return;
  world.violate("parse-mode", call.method, textField(call.payload, "parse_mode"));
  throw badRequest("can't parse entities: send entities instead of parse_mode");
}

/** Runs a check; its refusal is also a violation. */
export function watched<T>({ world, call }: MethodContext, kind: ViolationKind, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ApiError) world.violate(kind, call.method, error.message);
    throw error;
  }
}
