import type OpenAI from "openai";
import { APIError } from "openai";
import type { ModelCard, ModelEvent, ModelRequest } from "../../core/model.ts";
import type { ChatBody } from "./chat/request.ts";
import { toChatBody } from "./chat/request.ts";
import { WatchedResponse } from "./chat/done-watch.ts";
import { ChatStreamReader } from "./chat/stream.ts";
import type { Dialect } from "./dialect.ts";
import type { ResponsesBody } from "./responses/request.ts";
import { toResponsesBody } from "./responses/request.ts";
import { ResponsesStreamReader } from "./responses/stream.ts";

type Body = Readonly<Record<string, unknown>>;

export interface Asked {
  /** Of the answer; one alone where it does not stream. */
  readonly pieces: AsyncIterable<unknown>;
  /** Whether the server has ended the stream explicitly; absent: this API has no such mark. */
  readonly saidDone?: () => boolean;
}

interface Reader {
  push(piece: unknown): ModelEvent[];
  /** The server has closed the stream, after it had said so or not. */
  end(saidDone: boolean): ModelEvent[];
  /** Text that was held back when the answer ends early. */
  interrupted(): ModelEvent[];
}

/** One of the two ways to ask a server that speaks OpenAI's wire. */
export interface Api {
  body(options: {
    readonly model: string;
    readonly card: ModelCard;
    readonly request: ModelRequest;
  }): Body;
  ask(client: OpenAI, body: Body, signal: AbortSignal): Promise<Asked>;
  reader(options: { readonly mayCall: boolean }): Reader;
}

export function chatApi(dialect: Dialect): Api {
  return {
    body: (options) => toChatBody({ ...options, dialect }),
    ask: async (client, body, signal) => {
      const { data, response } = await client.chat.completions
        .create(body as ChatBody, { signal })
        .withResponse();
      return {
        pieces: pieces(data, response, errorOfChunk),
        saidDone: () => response instanceof WatchedResponse && response.saidDone,
      };
    },
    reader: (options) => new ChatStreamReader(options),
  };
}

export const responsesApi: Api = {
  body: toResponsesBody,
  ask: async (client, body, signal) => {
    const { data, response } = await client.responses
      .create(body as ResponsesBody, { signal })
      .withResponse();
    return { pieces: pieces(data, response, errorOfEvent) };
  },
  reader: (options) => new ResponsesStreamReader(options),
};

/**
 * What a server says, piece by piece. Some answer a question for a stream with JSON; some put an
 * error into a body or an event with status 200.
 *
 * @throws APIError with the server's own words for an error.
 */
async function* pieces(answer: object, response: Response, errorOf: ErrorOf): AsyncGenerator {
  if (!(Symbol.asyncIterator in answer)) {
    yield accepted(answer, errorOf);
    return;
  }
  for await (const piece of answer as AsyncIterable<unknown>) yield accepted(piece, errorOf);
  const whole = response instanceof WatchedResponse ? response.plainJson : "";
  if (whole !== "") yield accepted(JSON.parse(whole), errorOf);
}

type ErrorOf = (piece: object) => unknown;

const errorOfChunk: ErrorOf = (piece) => ("error" in piece ? piece.error : undefined);

/**
 * The error of a finished response, or a separate event, is read like the
 * others.
 */
const errorOfEvent: ErrorOf = (piece) =>
  isText(piece, "status") || isText(piece, "type") ? undefined : errorOfChunk(piece);

const isText = (piece: object, field: string): boolean =>
  typeof Reflect.get(piece, field) === "string";

function accepted(piece: unknown, errorOf: ErrorOf): unknown {
  if (typeof piece !== "object" || piece === null) return piece;
  const failure = isBareError(piece) ? piece : errorOf(piece);
  if (failure) throw new APIError(undefined, failure, undefined, undefined);
  return piece;
}

/** vLLM's and Mistral's errors have no envelope. */
const isBareError = (piece: object): boolean => "object" in piece && piece.object === "error";
