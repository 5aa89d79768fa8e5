import { type Api, GrammyError } from "grammy";
import type { CommandSpec } from "../../core/ports.ts";
import { retryUntilAccepted } from "./receive/retry-until-accepted.ts";
import { Backoff, type BackoffDependencies } from "./receive/backoff.ts";
import { registerCommands, registerForAdmin, unregisterForAdmin } from "./register-commands.ts";
import { describe } from "./send/describe.ts";

export interface MenuDependencies extends BackoffDependencies {
  readonly api: Api;
  readonly commands: readonly CommandSpec[];
  /** The ids of the people who are admins now. @throws when the store cannot be reached. */
  readonly admins: () => Promise<readonly string[]>;
}

/** Milliseconds between looks at who is an admin. */
const lookAgainMs = 300_000;

/**
 * The command menus. The bot works without them, and permissions are checked
 * when a command is used. Fulfils once everyone's menus are up to date; those
 * of admins follow until the signal aborts.
 * @throws the signal's reason when it aborts.
 */
export async function keepMenus(deps: MenuDependencies): Promise<void> {
  await bringUpToDate(deps);
  void followAdmins(deps).catch(() => undefined); // Aborted.
}

async function bringUpToDate(deps: MenuDependencies): Promise<void> {
  const { api, commands, log, signal } = deps;
  const retryOptions = {
    backoff: new Backoff(deps, "talking to Telegram"),
    signal,
    refuses(error: unknown) {
      if (error instanceof GrammyError && error.error_code === 400) throw error;
    },
  };
  try {
    await retryUntilAccepted(() => registerCommands(api, commands, signal), retryOptions);
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    log.warn({ cause: describe(error) }, "the menu of commands was refused");
  }
}

/** Ends with the signal's reason. */
async function followAdmins(deps: MenuDependencies): Promise<void> {
  const { commands, signal, sleep } = deps;
  if (!commands.some(({ adminOnly }) => adminOnly)) return;
  const served = new Set<number>();
  for (;;) {
    await serveAdmins(deps, served);
    signal.throwIfAborted();
    await sleep(lookAgainMs, signal);
  }
}

/**
 * A failure is retried at the next check: an admin may never have written to the bot, which then
 * has no chat with them.
 */
async function serveAdmins(
  { api, commands, admins, log, signal }: MenuDependencies,
  served: Set<number>,
): Promise<void> {
  try {
    const wanted = new Set((await admins()).flatMap(userIdOf));
    for (const userId of served) {
      if (wanted.has(userId)) continue;
      await unregisterForAdmin(api, commands, { userId, signal });
      served.delete(userId);
    }
    for (const userId of wanted) {
      if (served.has(userId)) continue;
      try {
        await registerForAdmin(api, commands, { userId, signal });
        served.add(userId);
      } catch (error) {
        if (!(error instanceof GrammyError)) throw error;
        log.debug({ userId, cause: describe(error) }, "an admin's menu was refused");
      }
    }
  } catch (error) {
    log.debug({ cause: describe(error) }, "admins' menus must wait");
  }
}

/** Admins of other platforms have no menu here. */
function userIdOf(personId: string): number[] {
  const id = /^telegram:(\d+)$/.exec(personId)?.[1];
  return id === undefined ? [] : [Number(id)];
}
