import { autoText, isDone } from "../../core/auto.ts";
import { localeOf } from "../locale-of.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * At the end of an `/auto` turn: puts its next message at the end of the inbox,
 * or says why there is none. Part of the turn's last commit; a stop before it
 * wins.
 */
export function autoplay({ deps: { clock }, session }: TurnContext): void {
  const { auto, outcome, turn, requester, role, replyTo, preference, group, persona } =
    session.state;
  if (auto === undefined || outcome === undefined) return;
  const { goal, step, of } = auto;
  const words = localeOf(session).auto;
  const reply = replyTo === undefined ? {} : { replyTo };
  const notify = (text: string): void =>
    session.post({
      kind: "notice",
      v: 1,
      id: `auto-${turn}`,
      text,
      silent: true,
      ...reply,
    });
  if (outcome.reason !== "answered") {
    if (outcome.reason !== "cancelled") notify(words.ended(step));
    return;
  }
  if (isDone(outcome.text)) {
    notify(words.done(step));
    return;
  }
  if (step >= of) {
    notify(words.atLimit(of));
    return;
  }
  session.enqueue({
    kind: "message",
    v: 1,
    id: `auto-${turn}`,
    ...(replyTo === undefined ? {} : { messageId: replyTo }),
    ...(group ? { group } : {}),
    person: requester,
    ...(role === undefined ? {} : { role }),
    text: autoText(goal, step + 1, of),
    ...(preference === undefined ? {} : { preference }),
    auto: { goal, step: step + 1, of },
    // A choice for the place is only known from the message.
    ...(persona?.by === "place" ? { persona: `${persona.owner}/${persona.name}` } : {}),
    atMs: clock.wall(),
  });
}
