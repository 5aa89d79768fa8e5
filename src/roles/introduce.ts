import type { Bot } from "../core/ports.ts";
import type { Services } from "../services.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";

/**
 * Says which bot runs, to whoever has started it. Until there is an admin, anyone who can read that
 * may become the first.
 */
export async function introduce(
  { settings, access, people }: Services,
  { profile, id }: Bot,
  say: (line: string) => void,
): Promise<void> {
  if (profile === undefined) return;
  const { name, url } = profile;
  say(`Running as ${name} · ${url} · Ctrl-C stops`);
  if (settings.access.mode !== "pairing" || (await access.admins()).length > 0) return;
  const code = await people
    .claimCode()
    // With a full memory the start goes on; the next start prints a code.
    .catch(unlessOutOfMemory(undefined));
  if (code === undefined) return;
  const isTelegram = id.startsWith("telegram:");
  const how = isTelegram
    ? `Open ${url}?start=${code} (or send it "/start ${code}")`
    : `Send it "/start ${code}" in a direct message`;
  say(`Nobody owns this bot yet. ${how} to become its owner.`);
}
