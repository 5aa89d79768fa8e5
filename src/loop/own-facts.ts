import type { TurnContext } from "./turn-context.ts";

/**
 * Reads the requester's own facts, which follow them into direct chats only. Without them the turn
 * goes on: they are a help, and no more.
 */
export async function takeOwnFacts({ deps, session }: TurnContext): Promise<void> {
  const { group, requester } = session.state;
  if (group === true || requester.anonymous) return;
  try {
    session.ownFacts = await deps.personFacts.of(requester.id);
  } catch (error) {
    deps.log.warn({ error, chat: session.chat }, "a person's facts could not be read");
  }
}
