import { createHash } from "node:crypto";
import { ApplicationCommandType, DiscordAPIError, Routes } from "discord.js";
import type { REST } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import { messageOf } from "../../../core/errors.ts";
import type { CommandSpec, Completion } from "../../../core/ports.ts";
import { retried } from "../retry.ts";
import { commandDefinitions } from "./definitions.ts";

/** Where the hash of what was registered last is kept. */
export interface Registration {
  read(): Promise<string | undefined>;
  write(hash: string): Promise<void>;
}

interface RegisterDeps {
  /** Asked of Discord when absent. */
  readonly applicationId?: string;
  readonly commands: readonly CommandSpec[];
  readonly completion: Pick<Completion, "offers">;
  readonly registration: Registration;
  /** Gets the ids of the commands, by their names. */
  readonly commandIds: Map<string, string>;
  /** People may use the bot as an app of their own. */
  readonly userInstall: boolean;
  readonly rest: Pick<REST, "put" | "get">;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Registers the commands for all servers when they differ from what was registered last: Discord
 * allows 200 creations a day. Tries until it works or Discord refuses them; never rejects, as the
 * bot answers without them too.
 */
export async function registerCommands(deps: RegisterDeps): Promise<void> {
  const { log, signal } = deps;
  try {
    await retried(() => registerOnce(deps), {
      signal,
      firstDelayMs: 1_000,
      maxDelayMs: 60_000,
      again: (failure) => !(failure instanceof DiscordAPIError),
    });
  } catch (failure) {
    if (signal.aborted) return;
    log.error({ cause: messageOf(failure) }, "Discord refused the commands");
  }
}

async function registerOnce(deps: RegisterDeps): Promise<void> {
  const { commands, completion, registration, userInstall, rest, log } = deps;
  const applicationId = deps.applicationId ?? (await askWhoWeAre(rest)).id;
  const body = commandDefinitions(commands, completion, { userInstall });
  const hash = createHash("sha256")
    .update(JSON.stringify([applicationId, body]))
    .digest("hex");
  const route = Routes.applicationCommands(applicationId);
  if ((await registration.read()) === hash) return learnIds(deps.commandIds, await rest.get(route));
  learnIds(deps.commandIds, await rest.put(route, { body }));
  await registration.write(hash);
  log.info({ commands: body.length }, "commands registered with Discord");
}

const slashCommand: number = ApplicationCommandType.ChatInput;
const commandsSchema = z.array(z.object({ id: z.string(), name: z.string(), type: z.number() }));

/** Without them commands are named and can't be tapped. */
function learnIds(commandIds: Map<string, string>, registered: unknown): void {
  for (const { id, name, type } of commandsSchema.safeParse(registered).data ?? [])
    if (type === slashCommand) commandIds.set(name, id);
}

const applicationSchema = z.object({ id: z.string(), name: z.string() });

/** The application's id and name. */
export async function askWhoWeAre(
  rest: Pick<REST, "get">,
): Promise<z.infer<typeof applicationSchema>> {
  return applicationSchema.parse(await rest.get(Routes.currentApplication()));
}
