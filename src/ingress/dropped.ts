import type { Acceptance, Inbound } from "../core/inbound.ts";
import type { Arrived } from "./deps.ts";

/** Whether a `/stop` that came behind it was faster. */
export const isDropped = ({ dropped }: Inbound): boolean =>
  dropped?.aborted === true;

/** What was dropped says so only where its sender still waits for a word; `/stop` has told everybody else. */
export function droppedBehind({
  inbound,
  locale: words,
}: Pick<Arrived, "inbound" | "locale">): Acceptance {
  const isAwaited = "answersItself" in inbound && inbound.answersItself;
  return isAwaited
    ? { type: "answered", text: words.end.stopped, isPrivate: false }
    : { type: "ignored" };
}
