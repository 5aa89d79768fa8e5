import type { AcceptDeps, Arrived } from "./deps.ts";

/** One line per person, attempt and such a time: a flood must not fill the log. Milliseconds. */
const windowMs = 10 * 60_000;

/** Somebody tried what is not theirs to do, e.g. an admin's command. @param target `/pause`, `button pa` */
export async function auditDenied(
  { commandDeps: { audit } }: AcceptDeps,
  { inbound, chat, role }: Pick<Arrived, "inbound" | "chat" | "role">,
  target: string,
): Promise<void> {
  const window = Math.floor(inbound.atMs / windowMs);
  await audit.write(`denied-${window}`, {
    action: "attempt-denied",
    by: inbound.person,
    chat,
    target,
    details: { role },
  });
}
