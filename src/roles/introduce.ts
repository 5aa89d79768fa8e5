import type { Bot } from "../core/ports.ts";
import type { Services } from "../services.ts";
import { sayClaimCode, type Screen } from "./claim-code.ts";

/** Says which bot runs, to the person who started it, and how to own it while no one does. */
export async function introduce(
  services: Pick<Services, "access" | "people">,
  bot: Pick<Bot, "id" | "profile">,
  screen: Screen,
): Promise<void> {
  if (bot.profile === undefined) return;
  const { name, url } = bot.profile;
  screen.say(`Running as ${name} · ${url} · Ctrl-C stops`);
  await sayClaimCode(services, bot, screen);
}
