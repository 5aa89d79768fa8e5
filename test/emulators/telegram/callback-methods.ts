import { badRequest } from "./api-error.ts";
import { type Method, watched } from "./method-context.ts";
import { booleanField, textField } from "./parameters.ts";

/** UTF-16 code units. https://core.telegram.org/bots/api#answercallbackquery */
const maxAnswerUnits = 200;

const tooOld = () =>
  badRequest("query is too old and response timeout expired or query ID is invalid");

/**
 * `open → answered` once, within the lifetime; every later answer is refused and held against the
 * bot.
 */
const answerCallbackQuery: Method = (context) => {
  const { world, call } = context;
  const text = watched(context, "bad-text", () => textField(call.payload, "text"));
  const query = world.callbacks.get(textField(call.payload, "callback_query_id"));
  if (query === undefined) throw tooOld();
  if (query.answer !== undefined) {
    // A caller that never learned that the answer arrived may try again.
    if (query.answeredBy?.outcome !== "dropped")
      world.violate("callback-answered-twice", call.method, `query ${query.id}`);
    throw tooOld();
  }
  const ageMs = Date.now() - query.createdAtMs;
  if (ageMs > world.options.callbackLifetimeMs) {
    world.violate("callback-answered-late", call.method, `query ${query.id} after ${ageMs} ms`);
    throw tooOld();
  }
  if (text.length > maxAnswerUnits)
    return watched(context, "too-long", () => {
      throw badRequest("MESSAGE_TOO_LONG");
    });
  query.answer = {
    text,
    showAlert: booleanField(call.payload, "show_alert"),
    url: textField(call.payload, "url"),
    atMs: Date.now(),
  };
  query.answeredBy = call;
  world.changed();
  return true;
};

export const callbackMethods: Readonly<Record<string, Method>> = {
  answerCallbackQuery,
};
