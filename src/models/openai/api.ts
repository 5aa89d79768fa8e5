import type { ModelCard, ModelEvent, ModelRequest } from "../../core/model.ts";
import { toChatBody } from "./chat/request.ts";
import { ChatStreamReader } from "./chat/stream.ts";
import type { Connection } from "./client.ts";
import type { Dialect } from "./dialect.ts";
import { errorIn } from "./error-body.ts";
import type { ErrorOf } from "./pieces.ts";
import { post } from "./post.ts";
import { toResponsesBody } from "./responses/request.ts";
import { ResponsesStreamReader } from "./responses/stream.ts";

type Body = Readonly<Record<string, unknown>>;

interface Reader {
  /** @param pieces that came together */
  push(pieces: readonly unknown[]): ModelEvent[];
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
  /** The answer's head; its body is not read. @throws the client's errors. */
  ask(connection: Connection, body: Body, signal: AbortSignal): Promise<Response>;
  readonly errorOf: ErrorOf;
  reader(options: { readonly mayCall: boolean }): Reader;
}

export function chatApi(dialect: Dialect): Api {
  return {
    body: (options) => toChatBody({ ...options, dialect }),
    ask: (connection, body, signal) => post(connection, "/chat/completions", body, signal),
    errorOf: errorIn,
    reader: (options) => new ChatStreamReader(options),
  };
}

export function responsesApi(dialect: Dialect): Api {
  return {
    body: (options) => toResponsesBody({ ...options, dialect }),
    ask: (connection, body, signal) => post(connection, "/responses", body, signal),
    errorOf: errorOfEvent,
    reader: (options) => new ResponsesStreamReader(options),
  };
}

/**
 * The error of a finished response, or a separate event, is read like the
 * others.
 */
function errorOfEvent(piece: object): unknown {
  return isText(piece, "status") || isText(piece, "type") ? undefined : errorIn(piece);
}

const isText = (piece: object, field: string): boolean =>
  typeof Reflect.get(piece, field) === "string";
