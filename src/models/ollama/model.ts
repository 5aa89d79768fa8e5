import type { Model, ModelCard, ModelObserver, ModelRequest } from "../../core/model.ts";
import { untilAborted } from "../../util/abort.ts";
import { pooledFetch } from "../../util/pooled-fetch.ts";
import { readAnswerText } from "../answer-body.ts";
import type { CardFields } from "../card-source.ts";
import { CardSource } from "../card-source.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpoint } from "../endpoint.ts";
import { failed, failedAs, untilLast } from "../events.ts";
import { fittedRequest } from "../fit.ts";
import { LineSplitter } from "../lines.ts";
import { modelName } from "../model-key.ts";
import { repairedCall } from "../repair-calls.ts";
import { withoutSecrets } from "../redact.ts";
import { presumedCard, readShow } from "./card.ts";
import { askChat, clientFor } from "./client.ts";
import { ollamaFailure } from "./failure.ts";
import { readLine } from "./lines.ts";
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
  const fetcher = deps.fetch ?? pooledFetch;
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
  readonly observer: ModelObserver;
}

async function streamAnswer(
  { at, source, fetch, observer }: Context,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  await untilAborted(source.asked(), signal);
  if (signal.aborted) return;
  const { card } = source;
  const model = modelName(card.id);
  const reader = new ChatLineReader({ mayCall: request.toolChoice === "auto" });
  const { secrets } = at;
  const say = untilLast(
    (event) => observer.onEvent(repairedCall(withoutSecrets(event, secrets), request.tools)),
    signal,
  );
  try {
    const body = toChatRequest({
      model,
      card,
      request: fittedRequest(request, card, observer),
    });
    const tooMuch = overflow(body);
    if (tooMuch !== undefined) {
      say([failedAs("context-overflow", tooMuch)]);
      return;
    }
    const { url: host, authorization } = at;
    const response = await askChat({ host, authorization, signal, fetch }, body);
    const take = (line: string): boolean => say(reader.push(readLine(line)));
    if (body.stream) await readLines(response, take);
    else take(await response.text());
    say(reader.interrupted());
    say([failedAs("network", "the answer has no line that ends it")]);
  } catch (error) {
    say(reader.interrupted());
    const failure = ollamaFailure(error, { model, secrets, nowMs: Date.now() });
    const refused = refusedAbility(failure.message, card);
    if (refused === undefined) {
      say([failed(failure)]);
      return;
    }
    observer.onRefused?.(card, { what: refused, message: failure.message });
    source.learn({ [refused]: false });
    say([failed({ ...failure, hasNewCard: true })]);
  }
}

/** An ability that the card presumes and the server denies: "does not support tools", "… thinking". */
function refusedAbility(message: string, card: ModelCard): "tools" | "thinking" | undefined {
  const named = /does not support (tools|thinking)/.exec(message)?.[1];
  return (named === "tools" || named === "thinking") && card[named] ? named : undefined;
}

/**
 * The lines of the answer, until `take` says that it is over. @throws what `take` throws; what ended the body early
 */
async function readLines(response: Response, take: (line: string) => boolean): Promise<void> {
  const lines = new LineSplitter();
  await readAnswerText(response, (text, isEnd) =>
    [...lines.push(text), ...(isEnd ? [lines.flush()] : [])].some(
      (line) => line.trim() !== "" && take(line),
    ),
  );
}
