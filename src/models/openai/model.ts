import type { Model, ModelObserver, ModelRequest } from "../../core/model.ts";
import { untilAborted } from "../../util/abort.ts";
import type { CardFields } from "../card-source.ts";
import { CardSource } from "../card-source.ts";
import { failed, untilLast } from "../events.ts";
import { fittedRequest } from "../fit.ts";
import { modelName } from "../model-key.ts";
import { withoutSecrets } from "../redact.ts";
import type { Api } from "./api.ts";
import { chatApi, responsesApi } from "./api.ts";
import { presumedCard } from "./card.ts";
import { askThrough } from "./catalog.ts";
import type { Connection, OpenAiSettings } from "./client.ts";
import { connect } from "./client.ts";
import type { PresetName } from "./dialect.ts";
import { dialectOf } from "./dialect.ts";
import { openAiFailure } from "./failure.ts";
import { readPieces } from "./pieces.ts";
import { repairedCall } from "../repair-calls.ts";
import { RefusedFields } from "./refused-fields.ts";

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
  const api = (settings.api === "responses" ? responsesApi : chatApi)(dialect);
  const context = { connection, source, api, refused: new RefusedFields() };
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
  readonly api: Api;
  readonly refused: RefusedFields;
  readonly observer: ModelObserver;
}

async function streamAnswer(
  context: Context,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<void> {
  const { connection, source, api, observer } = context;
  if (signal.aborted) return;
  await untilAborted(source.asked(), signal);
  if (signal.aborted) return;
  const { secrets } = connection;
  const { card } = source;
  const reader = api.reader({ mayCall: request.toolChoice === "auto" });
  const say = untilLast(
    (event) => observer.onEvent(repairedCall(withoutSecrets(event, secrets), request.tools)),
    signal,
  );
  try {
    const body = api.body({
      model: modelName(card.id),
      card,
      request: fittedRequest(request, card, observer),
    });
    const response = await askLearning(context, body, signal);
    const saidDone = await readPieces(response, api.errorOf, (pieces) => say(reader.push(pieces)));
    say(reader.end(saidDone));
  } catch (error) {
    say(reader.interrupted());
    say([failed(openAiFailure(error, { secrets, nowMs: Date.now() }))]);
  }
}

/**
 * Asks again, at once, without a field that the server refuses: each field once in the model's
 * life.
 */
async function askLearning(
  { connection, api, refused }: Context,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Response> {
  for (;;) {
    const sent = refused.without(body);
    try {
      return await api.ask(connection, sent, signal);
    } catch (error) {
      if (signal.aborted || !refused.learn(error, sent)) throw error;
    }
  }
}
