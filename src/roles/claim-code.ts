import type { Bot } from "../core/ports.ts";
import type { Services } from "../services.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";

export interface Screen {
  readonly say: (line: string) => void;
  /** How wide it is; undefined: a log, or a terminal that can't draw. */
  readonly columns: number | undefined;
}

/**
 * Until there is an admin, anyone who can read the process's output may become
 * the first.
 */
export async function sayClaimCode(
  { access, people }: Pick<Services, "access" | "people">,
  { id, profile }: Pick<Bot, "id" | "profile">,
  screen: Screen,
): Promise<void> {
  if (profile === undefined || !(await access.isUnclaimed())) return;
  const code = await people
    .claimCode()
    // With a full memory the start goes on; the next start prints a code.
    .catch(unlessOutOfMemory(undefined));
  if (code === undefined) return;
  const { say } = screen;
  if (!id.startsWith("telegram:")) {
    say(`To add the bot to a Discord server, open ${profile.url}`);
    say(`It has no owner yet. To become its owner, send it "/start ${code}" in a direct message.`);
    return;
  }
  const link = `${profile.url}?start=${code}`;
  say(`${profile.name} has no owner yet. To become its owner, open`);
  // Alone in its line, where a terminal doesn't break it.
  say(link);
  say(`or send it "/start ${code}" in a private chat.`);
  for (const line of await qrLines(link, screen)) say(line);
}

/** A phone reads it from the screen; empty where it doesn't fit. */
async function qrLines(link: string, { columns = 0 }: Screen): Promise<readonly string[]> {
  // Only the first start needs it.
  const { renderUnicodeCompact } = await import("uqr");
  const lines = renderUnicodeCompact(link, { border: 2 }).split("\n");
  return lines.every(({ length }) => length <= columns) ? lines : [];
}
