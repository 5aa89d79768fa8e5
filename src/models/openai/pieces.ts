import { APIError } from "openai";
import { readAnswerText } from "../answer-body.ts";
import { errorOfRefusal } from "./error-body.ts";
import { endMark, EventSplitter, type ServerEvent } from "../lines.ts";

/** The error that a piece of an answer holds, if any. */
export type ErrorOf = (piece: object) => unknown;

/**
 * Reads what a server says, piece by piece, until it has said its end mark or `take` says that the
 * answer is over. Some servers answer a question for a stream with JSON, which is one piece; some
 * put an error into a body or an event with status 200.
 * @param take the pieces that have come → whether the answer is over
 * @returns whether the server has ended the stream by its mark
 * @throws APIError with the server's own words for an error; SyntaxError for a piece that is not
 * JSON; what ended the body early
 */
export async function readPieces(
  response: Response,
  errorOf: ErrorOf,
  take: (pieces: readonly unknown[]) => boolean,
): Promise<boolean> {
  const events = new EventSplitter();
  const whole: string[] = [];
  let begins: "unknown" | "json" | "events" = "unknown";
  let saidDone = false;
  const takeEvents = (come: readonly ServerEvent[]): boolean => {
    const pieces: unknown[] = [];
    try {
      for (const { data, isError } of come) {
        saidDone ||= data === endMark;
        if (saidDone) break;
        if (isError) throw errorEvent(data);
        pieces.push(accepted(JSON.parse(data), errorOf));
      }
    } catch (error) {
      // What came before it is part of the answer, or its end.
      if (take(pieces)) return true;
      throw error;
    }
    return take(pieces) || saidDone;
  };
  await readAnswerText(response, (text, isEnd) => {
    if (begins === "unknown") {
      const first = text.trimStart();
      if (first !== "") begins = /^[{[]/.test(first) ? "json" : "events";
    }
    if (begins !== "json") {
      const come = events.push(text);
      return takeEvents(isEnd ? [...come, ...events.flush()] : come);
    }
    whole.push(text);
    return isEnd && take([accepted(JSON.parse(whole.join("")), errorOf)]);
  });
  return saidDone;
}

function accepted(piece: unknown, errorOf: ErrorOf): unknown {
  if (typeof piece !== "object" || piece === null) return piece;
  const error = errorOf(piece);
  // The client's type knows objects only.
  if (error !== undefined) throw new APIError(undefined, error as object, undefined, undefined);
  return piece;
}

/** `event: error`: with or without an envelope, as JSON or as words. */
function errorEvent(data: string): APIError {
  const error = errorOfRefusal(parsed(data)) ?? "the server said that it failed";
  return new APIError(undefined, error as object, undefined, undefined);
}

/** Undefined: it says nothing. */
function parsed(data: string): unknown {
  let given: unknown = data;
  try {
    given = JSON.parse(data);
  } catch {
    // Words.
  }
  const said: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (typeof said === "string") return said.trim() === "" ? undefined : { message: said };
  return said ?? undefined;
}
