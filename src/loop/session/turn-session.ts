import { shortApprovalId, type Approval, type ApprovalStatus } from "../../core/approval.ts";
import { askingEntry, cardEntryId, outcomeEntry, spokenIn } from "../../core/outbox.ts";
import type { ChatSettings } from "../../core/chat-settings.ts";
import type { Fact } from "../../core/facts.ts";
import type { InboxEntry, LogEntry } from "../../core/history.ts";
import type { OutboxEntry } from "../../core/outbox.ts";
import type {
  BegunTurn,
  ChangedEntries,
  Commit,
  CommitOutcome,
  Erasure,
  PlacedEntry,
} from "../../core/ports.ts";
import type { JournalEntry, TurnState } from "../../core/turn.ts";
import { apply, type TurnEvent } from "../machine/apply.ts";
import type { LoopDeps } from "../deps.ts";
import type { Narrowing } from "../narrowing.ts";
import { isProgress } from "../machine/progress.ts";

/**
 * Why a session ends early. `replaced`: the requester wrote again in the mode
 * `interrupt`. `fenced`: another session owns the chat. `shutdown`: the next
 * worker continues.
 */
export type Interruption = "stopped" | "deadline" | "replaced" | "fenced" | "shutdown";

/** Thrown to leave the turn at once, with nothing more to write. Never leaves the loop. */
export class TurnLeft extends Error {
  readonly why: "fenced" | "decided" | "shutdown";

  constructor(why: "fenced" | "decided" | "shutdown") {
    super(`left the turn: ${why}`);
    this.why = why;
  }
}

interface Pending {
  append: LogEntry[];
  outbox: OutboxEntry[];
  journal: Record<string, JournalEntry>;
  ask: Approval[];
  close: { id: string; status: ApprovalStatus }[];
  take: number;
  enqueue: InboxEntry[];
  isProgress: boolean;
  /** See `Commit`. */
  changed: ChangedEntries[];
}

const nothingPending = (): Pending => ({
  append: [],
  outbox: [],
  journal: {},
  ask: [],
  close: [],
  take: 0,
  enqueue: [],
  isProgress: false,
  changed: [],
});

/**
 * One worker's hold on one chat: the state as last recorded, what the next commit will write, and
 * the signal that cuts the work short. Between two commits nothing of it exists elsewhere.
 */
export class TurnSession implements Disposable {
  readonly begun: BegunTurn;
  readonly transcript: LogEntry[];
  readonly journal: Map<string, JournalEntry>;
  /** Of earlier conversations, for the end of requests; empty: nothing fits. */
  recalled = "";
  /** Approvals that wait for a person, as far as this session knows. */
  readonly #approvals: Map<string, Approval>;
  /** Of the turn's approvals, also of those that are not asked yet. */
  readonly displayIds: Set<string>;
  #state: TurnState | undefined;
  /** What the store holds. */
  #committed: TurnState | undefined;
  #turn: number;
  #revision: number;
  #stopAt: number;
  #viewStart: number;
  /** Set when the next commit moves the store's view. */
  #movedView: number | undefined;
  #waiting: number;
  #consumed = 0;
  #pending = nothingPending();
  /** When the message came in that is answered here first; undefined once it is. */
  #arrivedAtMs: number | undefined;
  readonly #deps: LoopDeps;
  readonly #controller = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #newsListener: Disposable;
  readonly #outer: AbortSignal;
  /** Writes in parallel with the state, finished before the next commit. */
  #alongside: Promise<void>[] = [];
  /** Writes elsewhere that the next commit begins with. */
  #first: (() => Promise<void>)[] = [];
  /** Ends the model call under way, and nothing else of the turn; undefined while there is none. */
  openCall: AbortController | undefined;
  /** What the open turn's persona permits; undefined: it has none. */
  narrowing: Narrowing | undefined;
  /** The requester's own facts; empty in a group. */
  ownFacts: readonly Fact[] = [];
  /** Called whenever something waits in the inbox, as often as the session hears of it. */
  onWaiting: (() => void) | undefined;
  readonly #onOuterAbort = (): void => this.interrupt("shutdown");

  constructor(deps: LoopDeps, begun: BegunTurn, outer: AbortSignal) {
    this.#deps = deps;
    this.begun = begun;
    this.transcript = [...begun.transcript];
    this.journal = new Map(begun.journal);
    this.#approvals = new Map(
      begun.approvals
        .filter(({ status }) => status === "pending")
        .map(({ approval }) => [approval.id, approval]),
    );
    this.displayIds = new Set(begun.approvals.map(({ approval }) => shortApprovalId(approval.id)));
    this.#state = begun.state;
    this.#committed = begun.state;
    this.#turn = begun.state?.turn ?? 0;
    this.#revision = begun.revision;
    this.#stopAt = begun.stopAt;
    this.#viewStart = begun.viewStart;
    this.#waiting = begun.inbox.length;
    this.#arrivedAtMs = arrivedAtMs(begun);
    this.#outer = outer;
    this.#heartbeat = setInterval(() => this.#beat(), deps.heartbeatMs);
    this.#newsListener = deps.onNews(begun.session.chat, () => this.#beat());
    outer.addEventListener("abort", this.#onOuterAbort);
    if (outer.aborted) this.interrupt("shutdown");
    this.#checkStop(begun.stopAt);
  }

  get chat() {
    return this.begun.session.chat;
  }

  get settings(): ChatSettings {
    return this.begun.settings;
  }

  /** The log position of the transcript's first entry. */
  get viewStart(): number {
    return this.#viewStart;
  }

  /** The newest entries that are at hand, with those that aren't written yet; `first`: their log position. */
  get newest(): { readonly first: number; readonly entries: readonly LogEntry[] } {
    const { transcript } = this;
    const { append } = this.#pending;
    // A reset hides what is not written yet.
    const entries = append.length > transcript.length ? append : transcript;
    return { first: this.#viewStart + transcript.length - entries.length, entries };
  }

  /** Inbox entries that wait, as far as this session knows. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Inbox entries that this session has taken. */
  get consumed(): number {
    return this.#consumed;
  }

  /**
   * Inbox entries that were there when it began or have come since, as far as this session knows.
   */
  get arrived(): number {
    return this.#consumed + this.#waiting;
  }

  /** @throws TypeError when the chat is idle. */
  get state(): TurnState {
    if (this.#state === undefined) throw new TypeError("no turn is open");
    return this.#state;
  }

  /** Whether a session before this one may have shown a draft that nothing has replaced yet. */
  get mayHaveShown(): boolean {
    const { state, opened } = this.begun;
    return state !== undefined && !opened && state.phase !== "waiting" && state.kept === undefined;
  }

  get pendingApprovals(): readonly Approval[] {
    return [...this.#approvals.values()];
  }

  /** Whether a card may have been posted whose approval is undecided, as far as this session knows. */
  get hasPostedCards(): boolean {
    return this.pendingApprovals.some((approval) => !this.#pending.ask.includes(approval));
  }

  get stopAt(): number {
    return this.#stopAt;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get interruption(): Interruption | undefined {
    return this.signal.aborted ? (this.signal.reason as Interruption) : undefined;
  }

  interrupt(why: Interruption): void {
    if (!this.signal.aborted) this.#controller.abort(why);
  }

  open(state: TurnState): void {
    this.#state = state;
    this.#turn = state.turn;
    this.#checkStop(this.#stopAt);
  }

  record(event: TurnEvent): TurnState {
    this.#state = apply(this.state, event);
    this.#pending.isProgress ||= isProgress(event);
    this.#deps.onEvent?.(this.chat, event);
    return this.#state;
  }

  append(...entries: readonly LogEntry[]): void {
    this.#pending.append.push(...entries);
    // Summarised entries aren't summarised again.
    this.#pending.isProgress ||= entries.some(({ kind }) => kind === "compaction");
    this.transcript.push(...entries);
    this.#pending.changed.push(...entries.flatMap((entry) => changedBy(entry) ?? []));
  }

  /** Entries without a recipient are for the requester of the open turn. */
  post(...entries: readonly OutboxEntry[]): void {
    const { requester, group } = this.#state ?? {};
    const theirs = {
      ...spokenIn(requester?.language),
      ...(requester && group ? { person: requester.id } : {}),
    };
    this.#pending.outbox.push(...entries.map((entry) => ({ ...theirs, ...entry })));
  }

  /** Asks a person, with one card. */
  ask(
    asked: readonly [Approval, ...Approval[]],
    reply: { readonly replyTo?: string; readonly silent?: true },
  ): void {
    const [first, ...others] = asked;
    const together = asked.map(({ id }) => id);
    const named = (approval: Approval): Approval =>
      others.length === 0 ? approval : { ...approval, together };
    const approvals = [named(first), ...others.map(named)] as const;
    for (const approval of approvals) {
      this.#approvals.set(approval.id, approval);
      this.#pending.ask.push(approval);
    }
    this.post(askingEntry(approvals, reply));
  }

  /**
   * Closes an undecided approval; its card says why. One that wasn't committed
   * was never asked.
   */
  close({ id }: Approval, status: ApprovalStatus, text: string): void {
    const approval = this.#approvals.get(id);
    if (approval === undefined) return;
    this.#approvals.delete(id);
    const { ask, outbox, close } = this.#pending;
    const asked = ask.indexOf(approval);
    if (asked >= 0) {
      ask.splice(asked, 1);
      // Calls asked on one card are closed together.
      const [card = id] = approval.together ?? [];
      this.#pending.outbox = outbox.filter((entry) => entry.id !== cardEntryId(card));
      return;
    }
    close.push({ id, status });
    const entry = outcomeEntry(approval, { id: `closed-${id}`, text });
    const isTold =
      entry.kind === "cards-outcome" &&
      outbox.some((each) => each.kind === entry.kind && each.of === entry.of);
    if (!isTold) this.post(entry);
  }

  write(key: string, entry: JournalEntry): void {
    this.journal.set(key, entry);
    this.#pending.journal[key] = entry;
  }

  /** The round's results are in the history now. */
  dropJournal(): void {
    this.journal.clear();
    this.#pending.journal = {};
  }

  take(count: number, lastPosition: number): void {
    this.join(count);
    this.#turn = lastPosition;
  }

  /** Takes the first entries of the inbox into the running turn. */
  join(count: number): void {
    this.#pending.take += count;
    this.#consumed += count;
    this.#waiting -= count;
  }

  /**
   * A write elsewhere, in parallel with the next commit, which waits for it: no
   * extra round trip. Must not reject.
   */
  alongside(written: Promise<void>): void {
    this.#alongside.push(written);
  }

  /**
   * A write elsewhere that is done before the next commit: after a crash, what leads to it is still
   * in the inbox, so it is done again. A commit whose write fails is not made.
   */
  first(write: () => Promise<void>): void {
    this.#first.push(write);
  }

  /**
   * To be called with the first text of an answer. Returns how long after the message that is, in
   * milliseconds, for the first text of a turn that this session has opened.
   */
  firstWord(): number | undefined {
    const fromMs = this.#arrivedAtMs;
    this.#arrivedAtMs = undefined;
    return fromMs === undefined ? undefined : this.#deps.clock.wall() - fromMs;
  }

  /** The chat continues by itself, after everything that waits. */
  enqueue(entry: InboxEntry): void {
    this.#pending.enqueue.push(entry);
  }

  /** What was said up to now is not seen any more. */
  forgetView(): void {
    this.#viewStart += this.transcript.length;
    this.transcript.length = 0;
  }

  /**
   * From the next commit on, readers needn't load entries before this log
   * position.
   */
  moveView(position: number): void {
    this.#movedView = position;
  }

  /**
   * Writes everything pending with the state. @throws TurnLeft when the session is fenced or an
   * approval was decided, and what a write that comes `first` throws.
   */
  async commit(
    last: Pick<Commit, "release" | "usage" | "plan"> & { readonly idle?: boolean } = {},
  ): Promise<CommitOutcome & { type: "committed" }> {
    for (const write of this.#first.splice(0)) await write();
    const pending = this.#pending;
    this.#pending = nothingPending();
    const { idle, ...rest } = last;
    const state = idle === true ? undefined : this.#state;
    const viewStart = this.#movedView;
    this.#movedView = undefined;
    const written = this.#deps.store.commit(this.begun.session, this.#revision, {
      state,
      turn: this.#turn,
      ...pending,
      ...rest,
      ...(viewStart === undefined ? {} : { viewStart }),
    });
    // Written after the commit on the same connection, so that it costs no further round trip.
    const end = pending.append.at(-1);
    // The store posts a stop's notice with the end of the turn.
    const isCancelled = end?.kind === "end" && end.reason === "cancelled";
    const woken = pending.outbox.length > 0 || isCancelled ? this.#wakeDelivery() : undefined;
    const beside = this.#alongside;
    this.#alongside = [];
    const [outcome] = await Promise.all([written, woken, ...beside]);
    if (outcome.type !== "committed") throw new TurnLeft(outcome.type);
    this.#revision = outcome.revision;
    this.#committed = state;
    this.#waiting = outcome.waiting;
    this.#checkStop(outcome.stopAt);
    return outcome;
  }

  /** Overwrites entries of the history in place. @throws TurnLeft */
  async overwrite(entries: readonly PlacedEntry[]): Promise<void> {
    const { store } = this.#deps;
    if (!(await store.overwrite(this.begun.session, this.#revision, entries)))
      throw new TurnLeft("fenced");
  }

  /**
   * Erases and gives the chat back: the last thing that a session does. Returns whether more waits.
   * @throws TurnLeft
   */
  async erase(erasure: Erasure): Promise<boolean> {
    const { store } = this.#deps;
    const erased = await store.erase(this.begun.session, this.#revision, erasure);
    if (erased.type === "fenced") throw new TurnLeft("fenced");
    await this.#wakeDelivery();
    return erased.again;
  }

  /** Records in the state who was notified of the wait. */
  noticed(ids: readonly string[]): void {
    this.#state = {
      ...this.state,
      noticed: [...(this.state.noticed ?? []), ...ids],
    };
  }

  /**
   * Gives the turn back unfinished, with whatever happened since the last commit. Never throws
   * `TurnLeft`.
   */
  async release(): Promise<void> {
    try {
      if (this.#state !== this.#committed) await this.commit();
      await Promise.all(this.#alongside);
    } catch (error) {
      if (error instanceof TurnLeft) return;
      throw error;
    }
    await this.#deps.store.release(this.begun.session);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
    this.#newsListener[Symbol.dispose]();
    this.#outer.removeEventListener("abort", this.#onOuterAbort);
  }

  #checkStop(stopAt: number): void {
    this.#stopAt = Math.max(this.#stopAt, stopAt);
    if (this.#state !== undefined && this.#stopAt >= this.#state.turn) this.interrupt("stopped");
  }

  /**
   * What is committed is durable: a wake-up that fails is made up for by the sweeper, and is no
   * reason to leave.
   */
  async #wakeDelivery(): Promise<void> {
    try {
      await this.#deps.wakeDelivery(this.chat);
    } catch (error) {
      this.#deps.log.warn(
        { error, chat: this.chat },
        "could not wake the delivery; the sweeper will",
      );
    }
  }

  #beat(): void {
    this.#renew().catch((error: unknown) =>
      this.#deps.log.warn({ error, chat: this.chat }, "heartbeat failed"),
    );
  }

  async #renew(): Promise<void> {
    const beat = await this.#deps.store.heartbeat(this.begun.session);
    if (beat === undefined) {
      this.interrupt("fenced");
      return;
    }
    this.#waiting = beat.waiting;
    this.#checkStop(beat.stopAt);
    if (beat.waiting > 0) this.onWaiting?.();
  }
}

/** What reads otherwise after an entry; undefined: nothing does. */
function changedBy(entry: LogEntry): ChangedEntries | undefined {
  if (entry.kind === "undo") return { from: entry.fromSeq };
  return entry.kind === "edit" && entry.of !== undefined
    ? { from: entry.of, to: entry.of, person: entry.person }
    : undefined;
}

function arrivedAtMs({ opened, state, transcript, inbox }: BegunTurn): number | undefined {
  if (state !== undefined && !opened) return undefined;
  const message = opened ? transcript.findLast(({ kind }) => kind === "message") : inbox[0]?.entry;
  return message !== undefined && "atMs" in message ? message.atMs : undefined;
}
