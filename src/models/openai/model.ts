import type { Model, ModelCard, ModelObserver, ModelRequest } from "../../core/model.ts";
import { untilAborted } from "../../util/abort.ts";
import type { CardFields } from "../card-source.ts";
import { CardSource } from "../card-source.ts";
import { failed, isShown, untilLast } from "../events.ts";
import { fittedRequest } from "../fit.ts";
import { modelName } from "../model-key.ts";
import { withoutSecrets } from "../redact.ts";
import type { Api } from "./api.ts";
import { chatApi, responsesApi } from "./api.ts";
import { presumedCard } from "./card.ts";
import { askThrough } from "./catalog.ts";
import type { Connection, OpenAiSettings } from "./client.ts";
import { connect } from "./client.ts";
import type { Dialect, PresetName } from "./dialect.ts";
import { dialectOf } from "./dialect.ts";
import { openAiFailure } from "./failure.ts";
import { Lessons } from "./lessons.ts";
import { readPieces } from "./pieces.ts";
import { repairedCall } from "../repair-calls.ts";

export interface OpenAiModelSettings extends OpenAiSettings {
  /** Default: `chat`. */
  readonly api?: "chat" | "responses";
  /** Which server it is, where its address does not say so. */
  readonly preset?: PresetName | undefined;
}

/**
 * One model that is reached by Chat Completions or the Responses API, OpenAI's or a compatible
 * server's.
 */
export function createOpenAiModel(deps: {
  readonly settings: OpenAiModelSettings;
  /** `provider/model`. */
  readonly id: string;
  /** The operator's settings for the model; they override the server's report. */
  readonly card?: CardFields;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}): Model {
  const { settings, id } = deps;
  const connection = connect(settings, deps.fetch);
  const { client, baseUrl, apiKey } = connection;
  const dialect = dialectOf(baseUrl, settings.preset);
  const model = modelName(id);
  const { catalog } = dialect;
  const source = new CardSource({
    presumed: presumedCard({
      id,
      model,
      dialect,
      isOfficial: new URL(baseUrl).hostname === "api.openai.com",
    }),
    said: deps.card ?? {},
    ask:
      catalog === undefined
        ? undefined
        : async () => catalog({ ask: askThrough(client), baseUrl, apiKey, model }),
    ...(deps.now === undefined ? {} : { now: deps.now }),
  });
  const api = settings.api === "responses" ? responsesApi : chatApi;
  const context = { connection, source, api, lessons: new Lessons(dialect) };
  return {
    get card() {
      return source.card;
    },
    learnCard: () => source.asked(),
    stream: (request, signal, observer) => streamAnswer({ ...context, observer }, request, signal),
  };
}

interface Context {
  readonly connection: Connection;
  readonly source: CardSource;
  readonly api: (dialect: Dialect) => Api;
  readonly lessons: Lessons;
  readonly observer: ModelObserver;
}

async function streamAnswer(
  context: Context,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<void> {
  const { source, observer } = context;
  if (signal.aborted) return;
  await untilAborted(source.asked(), signal);
  if (signal.aborted) return;
  const { card } = source;
  const fitted = fittedRequest(request, card, observer);
  // Each lesson is learned once.
  while (await hasLearned(context, { card, request: fitted }, signal)) continue;
}

/** @returns whether the server has refused something that is left out of the next attempt. */
async function hasLearned(
  context: Context,
  { card, request }: { readonly card: ModelCard; readonly request: ModelRequest },
  signal: AbortSignal,
): Promise<boolean> {
  const { connection, source, lessons, observer } = context;
  const { secrets } = connection;
  const api = context.api(lessons.dialect);
  const reader = api.reader({ mayCall: request.toolChoice === "auto" });
  let hasBegun = false;
  const say = untilLast((event) => {
    hasBegun ||= isShown(event);
    observer.onEvent(repairedCall(withoutSecrets(event, secrets), request.tools));
  }, signal);
  let body: Readonly<Record<string, unknown>> = {};
  try {
    body = lessons.applied(api.body({ model: modelName(card.id), card, request }));
    const response = await api.ask(connection, body, signal);
    const saidDone = await readPieces(response, api.errorOf, (pieces) => say(reader.push(pieces)));
    say(reader.end(saidDone));
  } catch (error) {
    if (signal.aborted) return false;
    const failure = openAiFailure(error, { secrets, nowMs: Date.now() });
    const lesson = hasBegun ? undefined : lessons.learn(error, body);
    if (lesson !== undefined)
      observer.onRefused?.(card, { what: lesson.what, message: failure.message });
    if (lesson !== undefined && lesson.card === undefined) return true;
    if (lesson?.card !== undefined) source.learn(lesson.card);
    say(reader.interrupted());
    say([failed(lesson === undefined ? failure : { ...failure, hasNewCard: true })]);
  }
  return false;
}
