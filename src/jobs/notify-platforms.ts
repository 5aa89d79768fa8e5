import { performance } from "node:perf_hooks";
import { notifyOwners } from "../access/notify-admins.ts";
import { moment } from "../commands/moment.ts";
import { platformNames } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import { platformOutageName, unservedBot, type PlatformWatch } from "../core/outage.ts";
import { platformProblemLines } from "../locales/platform-problem.ts";
import { span } from "../locales/span.ts";
import type { Services } from "../services.ts";
import { isLeaseHeld } from "../store/operations/leases.ts";
import { createOutages, type Outage } from "../store/operations/outages.ts";
import { sleepUnref } from "../util/sleep.ts";
import { healthUrl, outageNotice } from "./outage-notice.ts";

/** How often a process that is served looks for an outage that another one has found. Milliseconds. */
const refreshMs = 10_000;
/** What is being posted gets so long at the end. Milliseconds. */
const closingMs = 1_000;

type Deps = Pick<
  Services,
  "settings" | "store" | "access" | "people" | "connectedBots" | "post" | "redact" | "log"
>;

export interface PlatformWatches extends AsyncDisposable {
  /** @param bot `platform:bot` */
  readonly of: (bot: string) => PlatformWatch;
}

/**
 * Watches how the bots' platforms serve them. As with models' notices, an entry is named after its
 * outage: a repetition after a crash posts nothing twice.
 */
export function watchPlatforms(deps: Deps): PlatformWatches {
  const running = new Set<Promise<unknown>>();
  const inBackground = (work: Promise<unknown>): Promise<unknown> => {
    const reported = work
      .catch((error: unknown) =>
        deps.log.debug({ error: messageOf(error) }, "owners could not be told how a platform is"),
      )
      .finally(() => running.delete(reported));
    running.add(reported);
    return reported;
  };
  return {
    of(bot) {
      let isFailing = false;
      let refreshAtMs = 0;
      /** One after another. */
      let last: Promise<unknown> = Promise.resolve();
      let isLooking = false;
      return {
        failed(failure) {
          isFailing = true;
          last = inBackground(last.then(() => noteFailure(deps, bot, failure)));
        },
        served() {
          if (isLooking || (!isFailing && performance.now() < refreshAtMs)) return;
          isFailing = false;
          isLooking = true;
          refreshAtMs = performance.now() + refreshMs;
          last = inBackground(last.then(() => endOutage(deps, bot)));
          void last.finally(() => (isLooking = false));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      // While Redis is away it is given up.
      await Promise.race([Promise.all(running), sleepUnref(closingMs)]);
    },
  };
}

async function noteFailure(
  deps: Deps,
  bot: string,
  { kind, cause, isStandingBy = false }: Parameters<PlatformWatch["failed"]>[0],
): Promise<void> {
  const { settings, store, redact } = deps;
  const platform = platformOf(bot);
  if (platform === undefined || (isStandingBy && (await isLeaseHeld(store, bot)))) return;
  const outages = createOutages(store);
  const outage = await outages.note(platformOutageName(bot), { model: bot, kind, unanswered: 0 });
  if (outage.isTold || !(await outages.mayTell(outage))) return;
  const unserved = new Set((await outages.list()).map(({ name }) => unservedBot(name)));
  const apiRoot = settings.telegram.enabled ? settings.telegram.apiRoot : undefined;
  const page = healthUrl(settings);
  const posted = await notifyOwners(
    by(deps, (each) => !unserved.has(each)),
    (locale) =>
      outageNotice(
        `outage-${outage.id}`,
        [
          locale.outage.cutOff(platformNames[platform], bot, moment(outage.sinceMs)),
          ...platformProblemLines({ platform, kind, cause: redact(cause), apiRoot }, locale),
          ...(page === undefined ? [] : [locale.outage.page(page)]),
        ],
        false,
      ),
  );
  if (posted > 0) await outages.markTold(outage);
}

async function endOutage(deps: Deps, bot: string): Promise<void> {
  const outages = createOutages(deps.store);
  const isOwn = ({ name }: Outage): boolean => unservedBot(name) === bot;
  for (const outage of (await outages.list()).filter(isOwn)) await outages.end(outage);
  // Also one whose process was killed before its notice.
  for (const outage of (await outages.ended()).filter(isOwn)) {
    if (outage.isTold) await tellServedAgain(deps, outage, bot);
    await outages.forget(outage);
  }
}

/** Where owners read of the outage, and in their chats with the bot itself. */
export async function tellServedAgain(
  deps: Omit<Deps, "log">,
  { id, sinceMs }: Outage,
  bot: string,
): Promise<void> {
  const platform = platformOf(bot);
  if (platform === undefined) return;
  const lastedMs = deps.store.clock.now() - sinceMs;
  for (const isOwn of [false, true])
    await notifyOwners(
      by(deps, (each) => (each === bot) === isOwn),
      (locale) => {
        const lasted = span(lastedMs, locale.cards);
        const line = locale.outage.backAgain(platformNames[platform], bot, lasted);
        return outageNotice(`outage-${id}-over`, [line], true);
      },
    );
}

/** The same with fewer bots that may write. */
const by = (
  deps: Pick<Deps, "access" | "people" | "connectedBots" | "post">,
  mayWrite: (bot: string) => boolean,
): Parameters<typeof notifyOwners>[0] => ({
  ...deps,
  connectedBots: {
    among: async (bots) => (await deps.connectedBots.among(bots)).filter(mayWrite),
  },
});

/** Undefined: it has no token that could be refused. */
export function platformOf(bot: string): keyof typeof platformNames | undefined {
  const platform = bot.split(":", 1)[0];
  return platform === "telegram" || platform === "discord" ? platform : undefined;
}
