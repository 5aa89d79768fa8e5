import { unreachable, messageOf } from "../core/errors.ts";
import { eraseCopies } from "../approvals/relay-card.ts";
import { eraseLeftovers } from "../store/erasure/erase-leftovers.ts";
import { erasePerson } from "../store/erasure/erase-person.ts";
import type { ErasureJob, ErasureTarget } from "../store/erasure/erasures.ts";
import { findChatsOf } from "../store/people/find-author.ts";
import { scanKeys } from "../store/redis/scan-keys.ts";
import { eraseSchedules } from "../store/turns/schedules.ts";
import { progressOf, requestErasure } from "../store/erasure/request-erasure.ts";
import { rewriteFile } from "../store/redis/rewrite-file.ts";
import type { ReportProblem } from "../store/unreadable.ts";
import { retentionMsOf } from "../config/retention.ts";
import { chatKeys } from "../store/keys.ts";
import { minRetentionMs } from "../store/turns/commit-fields.ts";
import { eraseFiles } from "./erase-files.ts";
import type { Services } from "../services.ts";
import { replyEntryId, spokenIn } from "../core/outbox.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import { sleepUnref } from "../util/sleep.ts";

/** How often each process looks for erasures that were asked for elsewhere. Milliseconds. */
const idleMs = 5_000;
/** First interval between checks of running erasures; it doubles up to `idleMs`. Milliseconds. */
const busyMs = 200;
/**
 * Rewriting a server's file costs more than erasing, so it happens at most this
 * often. Milliseconds.
 */
const rewriteIntervalMs = 60_000;

const keptMsOf = (settings: Services["settings"]): number =>
  Math.max(retentionMsOf(settings), minRetentionMs);

type Deps = Pick<
  Services,
  "store" | "inbox" | "waker" | "leases" | "erasures" | "settings" | "log"
> &
  Pick<Services, "approvals" | "post" | "relayedCards">;

/**
 * Carries out erasures requested with `/forget`, regardless of which process
 * received the request; one process at a time. Every step can be repeated: if
 * the process dies in the middle, another repeats the step.
 */
export function startErasures(deps: Deps): AsyncDisposable {
  const runner = new ErasureRunner(deps);
  const listener = deps.erasures.onAsked(() => runner.look());
  runner.start();
  return {
    async [Symbol.asyncDispose]() {
      listener[Symbol.dispose]();
      await runner.stop();
    },
  };
}

class ErasureRunner {
  readonly #deps: Deps;
  readonly #stopping = new AbortController();
  #pause = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #rewrittenAtMs = -Infinity;
  readonly #reported = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** An erasure was requested in this process: don't wait for the next interval. */
  look(): void {
    this.#pause.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pause.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let pauseMs = idleMs;
    while (!signal.aborted) {
      this.#pause = new AbortController();
      const found = await this.#tick();
      if (signal.aborted) return;
      if (found === "progress") pauseMs = busyMs;
      else pauseMs = found === "idle" ? idleMs : Math.min(2 * pauseMs, idleMs);
      await sleepUnref(pauseMs, this.#pause.signal).catch(() => undefined);
    }
  }

  async #tick(): Promise<"progress" | "waiting" | "idle"> {
    const { erasures, leases } = this.#deps;
    try {
      const jobs = await erasures.list(this.#reportOnce);
      if (jobs.length === 0 && !(await erasures.isFileDue())) return "idle";
      await using lease = await leases.take("erasures");
      if (lease === undefined) return "idle";
      // Read again: another process may have had them until now.
      const asked = await erasures.list(this.#reportOnce);
      const isProgress = await this.#advance(asked, lease.lost);
      lease.lost.throwIfAborted();
      if (this.#isTimeForFiles) await this.#rewrite();
      if (isProgress) return "progress";
      return asked.length > 0 ? "waiting" : "idle";
    } catch (error) {
      this.#complain(error);
      return "idle";
    }
  }

  #complain(error: unknown): void {
    this.#deps.log.warn(
      { error: messageOf(error) },
      "an erasure could not be carried on; it will be tried again",
    );
  }

  readonly #report: ReportProblem = (what, error) =>
    this.#deps.log.error(
      { what, error: messageOf(error) },
      "this could not be read or removed: an erasure has left it out",
    );

  /** A repeated problem is logged once per process. */
  readonly #reportOnce: ReportProblem = (what, error) => {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.#report(what, error);
  };

  /** Whether something has changed. A failing erasure doesn't block the others. */
  async #advance(jobs: readonly ErasureJob[], lost: AbortSignal): Promise<boolean> {
    const done: ErasureJob[] = [];
    let hasBegun = false;
    for (const job of jobs) {
      lost.throwIfAborted();
      try {
        switch (job.phase) {
          case "asked":
            hasBegun = (await this.#begin(job)) || hasBegun;
            break;
          case "under-way": {
            const progress = await this.#progressOf(job);
            if (progress === "erased") done.push(job);
            // Ordered again.
            hasBegun ||= progress === "lost";
            break;
          }
          default:
            unreachable(job.phase);
        }
      } catch (error) {
        this.#complain(error);
      }
    }
    if (done.length > 0) await this.#complete(done, lost);
    return hasBegun || done.length > 0;
  }

  async #begin(job: ErasureJob): Promise<boolean> {
    const { store, erasures } = this.#deps;
    await this.#answer(job);
    // Nothing of them may be fired into a chat that is erased by then.
    const retentionMs = keptMsOf(this.#deps.settings);
    if (job.of.what === "person")
      for await (const key of scanKeys(store, "parley:{s*}:plans:*"))
        await eraseSchedules(store, key, { of: [job.of.personId], retentionMs });
    else
      await eraseSchedules(store, chatKeys(job.of.chat).plans, {
        of: { madeUntilMs: Infinity },
        retentionMs,
      });
    const targets: readonly ErasureTarget[] =
      job.of.what === "chat"
        ? [{ chat: job.of.chat, what: "chat" }]
        : await findChatsOf(store, job.of.personId, this.#reportOnce);
    let areAllAsked = true;
    for (const target of targets) {
      const isAsked = await this.#order(job, target);
      areAllAsked &&= isAsked;
    }
    if (areAllAsked)
      await erasures.update({
        ...job,
        phase: "under-way",
        targets: [...targets],
      });
    return areAllAsked;
  }

  /**
   * Sends the command's answer, if that hasn't happened: it must come before the notice that all is
   * done.
   */
  async #answer({ answerTo, eventId, language }: ErasureJob): Promise<void> {
    if (answerTo === undefined || eventId === undefined) return;
    await this.#deps.inbox.answer(answerTo, eventId, {
      kind: "notice",
      v: 1,
      id: replyEntryId(eventId),
      ...spokenIn(language),
      text: localeFor(language, answerTo).forget.begun,
    });
  }

  /** Whether there was room for it. */
  async #order(job: ErasureJob, target: ErasureTarget): Promise<boolean> {
    const isAsked = await requestErasure(this.#deps, job, target);
    await this.#deps.waker.wake("turn", target.chat);
    return isAsked;
  }

  /** Requests lost orders again. */
  async #progressOf(job: ErasureJob): Promise<"waiting" | "erased" | "lost"> {
    const found = new Set<"waiting" | "erased" | "lost">();
    for (const target of job.targets) {
      const progress = await progressOf(this.#deps.store, job, target);
      if (progress === "lost") await this.#order(job, target);
      found.add(progress);
    }
    if (found.has("lost")) return "lost";
    return found.has("waiting") ? "waiting" : "erased";
  }

  /** Erases data outside of chats, for all of these jobs in one pass. */
  async #complete(jobs: readonly ErasureJob[], lost: AbortSignal): Promise<void> {
    const { store, settings } = this.#deps;
    const targets = jobs.flatMap((job) => job.targets);
    const chatsOf = (what: ErasureTarget["what"]) =>
      new Set(targets.filter((each) => each.what === what).map(({ chat }) => chat));
    const chats = chatsOf("chat");
    const groups = chatsOf("author");
    const people = jobs.flatMap(({ of }) =>
      of.what === "person"
        ? [
            {
              id: of.personId,
              ...(of.name === undefined ? {} : { name: of.name }),
            },
          ]
        : [],
    );
    const personIds = people.map(({ id }) => id);
    let problems = 0;
    const report: ReportProblem = (what, error) => {
      problems += 1;
      this.#report(what, error);
    };
    await eraseLeftovers(
      store,
      { chats, groups, people },
      { report, signal: lost, retentionMs: keptMsOf(settings) },
    );
    await eraseCopies(this.#deps);
    const { dataFolder } = settings;
    await eraseFiles({ dataFolder, chats, groups, personIds }, report);
    for (const job of jobs) {
      lost.throwIfAborted();
      try {
        await this.#finish(job, problems);
      } catch (error) {
        this.#complain(error);
      }
    }
  }

  async #finish(job: ErasureJob, problems: number): Promise<void> {
    const { store, erasures, post, log } = this.#deps;
    if (job.of.what === "person") await erasePerson(store, job.of.personId);
    if (job.answerTo !== undefined)
      await post(job.answerTo, {
        kind: "notice",
        v: 1,
        id: `forgotten-${job.id}`,
        ...spokenIn(job.language),
        text: doneText(job, problems),
      });
    await erasures.finish(job);
    log.info({ what: job.of.what, by: job.by }, "erased");
  }

  get #isTimeForFiles(): boolean {
    return performance.now() - this.#rewrittenAtMs >= rewriteIntervalMs;
  }

  async #rewrite(): Promise<void> {
    const { store, erasures, log } = this.#deps;
    if (!(await erasures.isFileDue())) return;
    const rewritten = await rewriteFile(store);
    if (rewritten.type === "busy") return;
    this.#rewrittenAtMs = performance.now();
    if (rewritten.type === "refused")
      log.warn(
        { cause: rewritten.cause },
        "Redis refused to write its append-only file anew: what was erased stays in it until the server does so by itself",
      );
    await erasures.fileIsNew();
  }
}

function doneText(job: ErasureJob, problems: number): string {
  const { forget } = localeFor(job.language, job.answerTo);
  const but = problems === 0 ? [] : [forget.but(problems)];
  return [doneWithout(job, forget), ...but].join(" ");
}

function doneWithout(
  { of, targets }: ErasureJob,
  { chatDone, meDone, meDoneWith }: Locale["forget"],
): string {
  if (of.what === "chat") return chatDone;
  const groups = targets.filter(({ what, isGuess }) => what === "author" && !isGuess).length;
  return groups === 0 ? meDone : meDoneWith(groups);
}
