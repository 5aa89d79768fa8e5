import { notifyOwners } from "../access/notify-admins.ts";
import { moment } from "../commands/moment.ts";
import { messageOf } from "../core/errors.ts";
import type { ModelFailure } from "../core/model.ts";
import { outageName, unservedBot, type ModelWatch, type TurnOfOwner } from "../core/outage.ts";
import type { Locale } from "../locales/locale.ts";
import { modelProblemText } from "../locales/model-problem.ts";
import { span } from "../locales/span.ts";
import type { Services } from "../services.ts";
import { createOutages, type Outage, type Outages } from "../store/operations/outages.ts";
import { tellServedAgain } from "./notify-platforms.ts";
import { healthUrl, outageNotice } from "./outage-notice.ts";

/** How often a process that hears answers looks for outages that others have found. Milliseconds. */
const refreshMs = 10_000;

type Deps = Pick<
  Services,
  "settings" | "store" | "access" | "people" | "connectedBots" | "post" | "redact" | "log"
>;

/**
 * Watches what turns meet. A notice's entry is named after its outage and the outage is marked after it: a
 * repetition after a crash posts nothing twice. Disposing waits for what is being posted.
 */
export function watchModels(deps: Deps): ModelWatch & AsyncDisposable {
  const outages = createOutages(deps.store);
  const running = new Set<Promise<unknown>>();
  /** Models that may have an outage, as far as this process knows. */
  const failing = new Set<string>();
  let refreshAtMs = 0;
  const inBackground = (work: Promise<unknown>): void => {
    const reported = work
      .catch((error: unknown) =>
        deps.log.warn({ error: messageOf(error) }, "owners could not be told how the models are"),
      )
      .finally(() => running.delete(reported));
    running.add(reported);
  };
  const look = async (answer: Parameters<ModelWatch["answered"]>[0]): Promise<void> => {
    refreshAtMs = performance.now() + refreshMs;
    const open = await outages.list();
    for (const { model } of open) failing.add(model);
    if (await endOutages(deps, outages, { open, answer })) failing.delete(answer.model);
  };
  return {
    async failed(failed) {
      failing.add(failed.model);
      try {
        return await noteFailure(deps, outages, failed);
      } catch (error) {
        deps.log.warn({ error: messageOf(error) }, "owners could not be told that a model fails");
        return false;
      }
    },
    answered(answer) {
      if (performance.now() < refreshAtMs && !failing.has(answer.model)) return;
      inBackground(look(answer));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running);
    },
  };
}

async function noteFailure(
  deps: Deps,
  outages: Outages,
  failed: Parameters<ModelWatch["failed"]>[0],
): Promise<boolean> {
  const { model, failure, isReplaced, chat, isOwners } = failed;
  const { kind } = failure;
  const name = outageName(model, kind);
  if (name === undefined) return false;
  const outage = await outages.note(name, { model, kind, unanswered: isReplaced ? 0 : 1 });
  if (outage.isTold) return true;
  if (!(await outages.mayTell(outage))) return false;
  const explain = await explanation(deps, model, failure);
  const posted = await notifyOwners(deps, (locale, { chat: theirs }) => {
    if (isOwners && theirs === chat) return undefined;
    const { stopped, replaced } = locale.outage;
    const since = moment(outage.sinceMs);
    const first = isReplaced ? replaced(model, since) : stopped(model, since);
    return outageNotice(`outage-${outage.id}`, [first, ...explain(locale)], isReplaced);
  });
  const isTold = isOwners || posted > 0;
  if (isTold) await outages.markTold(outage);
  return isTold;
}

/** As `doctor` explains it. */
async function explanation(
  { settings, redact }: Deps,
  model: string,
  failure: ModelFailure,
): Promise<(locale: Locale) => readonly string[]> {
  // Loads the vendors' clients, which are loaded for turns anyway.
  const { problemOf } = await import("../models/check-model.ts");
  const problem = problemOf(model, settings.models, {
    ...failure,
    message: redact(failure.message),
  });
  const page = healthUrl(settings);
  return (locale) => {
    const { what, fix } = modelProblemText(problem, locale);
    return [redact(what), fix, ...(page === undefined ? [] : [locale.outage.page(page)])];
  };
}

/** @returns whether the model has none any more. */
async function endOutages(
  deps: Deps,
  outages: Outages,
  {
    open,
    answer,
  }: {
    readonly open: readonly Outage[];
    readonly answer: Parameters<ModelWatch["answered"]>[0];
  },
): Promise<boolean> {
  const own = open.filter(({ model }) => model === answer.model);
  // An answer that was under way when it failed shows nothing.
  const over = own.filter(({ lastMs }) => lastMs < answer.askedAtMs);
  for (const outage of over) await outages.end(outage);
  // Also one whose process was killed before its notice.
  for (const outage of await outages.ended()) {
    const bot = unservedBot(outage.name);
    if (outage.isTold && bot === undefined) await tellOver(deps, outage, answer);
    if (outage.isTold && bot !== undefined) await tellServedAgain(deps, outage, bot);
    await outages.forget(outage);
  }
  return over.length === own.length;
}

async function tellOver(deps: Deps, outage: Outage, turn: TurnOfOwner): Promise<void> {
  const { id, model, sinceMs, unanswered } = outage;
  const lastedMs = deps.store.clock.now() - sinceMs;
  await notifyOwners(deps, (locale, { chat: theirs }) => {
    if (turn.isOwners && theirs === turn.chat) return undefined;
    const { over, unanswered: count } = locale.outage;
    const lines = [over(model, span(lastedMs, locale.cards))];
    return outageNotice(
      `outage-${id}-over`,
      unanswered > 0 ? [...lines, count(unanswered)] : lines,
      true,
    );
  });
}
