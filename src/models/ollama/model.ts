import type { ChatResponse, Ollama } from "ollama";
import type { Model, ModelEvent, ModelObserver, ModelRequest } from "../../core/model.ts";
import { untilAborted } from "../../util/abort.ts";
import type { CardFields } from "../card-source.ts";
import { CardSource } from "../card-source.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpoint } from "../endpoint.ts";
import { failed, failedAs, isLast } from "../events.ts";
import { fittedRequest } from "../fit.ts";
import { modelName } from "../model-key.ts";
import { presumedCard, readShow } from "./card.ts";
import { clientFor } from "./client.ts";
import { ollamaFailure } from "./failure.ts";
import { overflow, toChatRequest } from "./request.ts";
import { ChatLineReader } from "./stream.ts";

export interface OllamaSettings {
  /**
   * As `OLLAMA_HOST`: an address, or host and port. May hold userinfo, which becomes a Basic
   * authorisation.
   */
  readonly host: string;
}

/** The question about a model's abilities must not keep its answer waiting. */
const askWithinMs = 5000;

/** One model of an Ollama server. What it can do is asked of the server with the first request. */
export function createOllamaModel(deps: {
  readonly settings: OllamaSettings;
  /** `provider/model`. */
  readonly id: string;
  /** The operator's settings for the model; they override the server's report. */
  readonly card?: CardFields;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}): Model {
  const at = endpoint(deps.settings.host);
  const fetcher = deps.fetch ?? fetch;
  const source = new CardSource({
    presumed: presumedCard(deps.id),
    said: deps.card ?? {},
    ask: async () =>
      readShow(
        await clientFor({
          host: at.url,
          authorization: at.authorization,
          signal: AbortSignal.timeout(askWithinMs),
          fetch: fetcher,
        }).show({ model: modelName(deps.id) }),
      ),
    ...(deps.now === undefined ? {} : { now: deps.now }),
  });
  return {
    get card() {
      return source.card;
    },
    learnCard: () => source.asked(),
    stream: (request, signal, observer) =>
      streamAnswer({ at, source, fetch: fetcher, observer }, request, signal),
  };
}

interface Context {
  readonly at: Endpoint;
  readonly source: CardSource;
  readonly fetch: typeof fetch;
  readonly observer: ModelObserver | undefined;
}

async function* streamAnswer(
  { at, source, fetch, observer }: Context,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return;
  await untilAborted(source.asked(), signal);
  if (signal.aborted) return;
  const { card } = source;
  const model = modelName(card.id);
  const body = toChatRequest({
    model,
    card,
    request: fittedRequest(request, card, observer),
  });
  const tooMuch = overflow(body);
  if (tooMuch !== undefined) {
    yield failedAs("context-overflow", tooMuch);
    return;
  }
  const reader = new ChatLineReader({ mayCall: request.toolChoice === "auto" });
  // The client doesn't cancel an abandoned body: leaving early must end the
  // request.
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  let complete = false;
  let badLine: Error | undefined;
  signal.addEventListener("abort", leave, { once: true });
  try {
    const client = clientFor({
      host: at.url,
      authorization: at.authorization,
      signal: leaving.signal,
      fetch,
      ...(card.streaming ? { onBadLine: (bad) => (badLine = bad) } : {}),
    });
    for await (const line of await ask(client, body))
      for (const event of reader.push(line)) {
        complete ||= isLast(event);
        yield event;
        if (complete) return;
      }
    // The client takes more for a last line than we do.
    if (signal.aborted) return;
    yield* reader.interrupted();
    yield failedAs("network", "the answer has no line that ends it");
  } catch (error) {
    if (signal.aborted) return;
    yield* reader.interrupted();
    yield failed(
      ollamaFailure(badLine ?? error, {
        model,
        secrets: at.secrets,
        nowMs: Date.now(),
      }),
    );
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}

/** The lines of the answer; an answer that comes whole is one line, the last. */
async function ask(
  client: Ollama,
  body: ReturnType<typeof toChatRequest>,
): Promise<AsyncIterable<ChatResponse> | Iterable<ChatResponse>> {
  return body.stream
    ? client.chat({ ...body, stream: true })
    : [await client.chat({ ...body, stream: false })];
}
