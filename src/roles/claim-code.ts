import type { Services } from "../services.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";

/**
 * Until there is an admin, anyone who can read the process's output may become
 * the first.
 */
export async function sayClaimCode(
  { settings, access, people }: Services,
  say: (line: string) => void,
): Promise<void> {
  if (settings.access.mode !== "pairing" || (await access.admins()).length > 0) return;
  const code = await people
    .claimCode()
    // With a full memory the start goes on; the next start prints a code.
    .catch(unlessOutOfMemory(undefined));
  if (code !== undefined)
    say(
      `No admin yet. To become the first, send this to the bot in a direct message: /start ${code}`,
    );
}
