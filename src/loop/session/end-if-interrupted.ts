import { stopTurn } from "./finish.ts";
import { effective } from "../model/effective-settings.ts";
import { endSentence } from "../sentences.ts";
import type { Spent } from "../machine/spending.ts";
import { TurnLeft } from "./turn-session.ts";
import { localeOf } from "../locale-of.ts";
import type { TurnContext } from "../turn-context.ts";

/** What was said and used when the interruption came. */
interface Unfinished {
  /** Of the answer, as far as it had come, and whose it is. */
  readonly said?: { readonly text: string; readonly model: string };
  readonly spent?: Spent;
  readonly elapsedMs?: number;
}

/** Turns an interruption into the event that ends the turn, or leaves. @throws TurnLeft */
export function endIfInterrupted(context: TurnContext, { said, ...used }: Unfinished = {}): void {
  const { session } = context;
  if (session.state.phase === "finished") return;
  const words = said === undefined || said.text === "" ? { text: "" } : said;
  switch (session.interruption) {
    case undefined:
      return;
    case "fenced":
      throw new TurnLeft("fenced");
    case "shutdown":
      // A call that is still open here was never made: the next worker must not
      // take it for lost.
      session.record({ type: "model-call-withdrawn" });
      throw new TurnLeft("shutdown");
    case "stopped":
      stopTurn(session, {
        reason: "cancelled",
        ...words,
        failure: "cancelled",
        ...used,
      });
      return;
    case "replaced":
      stopTurn(session, {
        reason: "superseded",
        ...words,
        failure: "superseded",
        ...used,
      });
      return;
    case "deadline":
      stopTurn(session, {
        reason: "deadline",
        text: endSentence("deadline", effective(context).policy, localeOf(session)),
        failure: "deadline",
        ...used,
      });
  }
}
