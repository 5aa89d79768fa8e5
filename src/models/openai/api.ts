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
  /** Whether the server has said behind the last of them that there are no more; absent: this wire has no word for it. */
  readonly saidDone?: () => boolean;
}

interface Reader {
  push(piece: unknown): ModelEvent[];
  /** The server has closed the stream, after it had said so or not. */
  end(saidDone: boolean): ModelEvent[];
  /** What was held back when the answer ends early. */
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
        pieces: pieces(data),
        saidDone: () =>
          response instanceof WatchedResponse && response.saidDone,
      };
    },
    reader: (options) => new ChatStreamReader(options),
  };
}

export const responsesApi: Api = {
  body: toResponsesBody,
  ask: async (client, body, signal) => ({
    pieces: pieces(
      await client.responses.create(body as ResponsesBody, { signal }),
    ),
  }),
  reader: (options) => new ResponsesStreamReader(options),
};

function pieces(answer: object): AsyncIterable<unknown> {
  return Symbol.asyncIterator in answer
    ? (answer as AsyncIterable<unknown>)
    : whole(answer);
}

/** Some servers put an error into a body with status 200; in a stream the client sees to that. */
async function* whole(answer: object): AsyncGenerator {
  if ("error" in answer && answer.error && !("status" in answer))
    throw new APIError(undefined, answer.error, undefined, undefined);
  yield answer;
}
