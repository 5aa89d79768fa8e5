import { beforeEach, describe, expect, it } from "vitest";
import type { Approval, ApprovalStatus } from "../../src/core/approval.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import type { InboxEntry } from "../../src/core/history.ts";
import type { Commit, TurnStore } from "../../src/core/ports.ts";
import {
  approvalOf,
  begun,
  ben,
  committed,
  finishing,
  message,
  newChat,
  notice,
  reset,
  said,
  stateOf,
  waitingFor,
} from "../store/support.ts";

/** A store to try, and what the rest of Parley would do to its chats. */
export interface StoreSubject {
  readonly store: TurnStore;
  arrive(chat: ChatKey, entry: InboxEntry): Promise<void>;
  stop(chat: ChatKey): Promise<void>;
  decide(approval: Approval, status: ApprovalStatus): Promise<void>;
  /** The owner of the chat's turn is gone, and its time is over. */
  expireLease(chat: ChatKey): Promise<void>;
  /** Ids of what waits to be delivered. */
  outbox(chat: ChatKey): Promise<readonly string[]>;
}

/** What the loop relies on, wherever its chats are kept. */
export function turnStoreContract(
  name: string,
  setup: () => StoreSubject | Promise<StoreSubject>,
): void {
  describe(`turn store contract: ${name}`, () => {
    let subject: StoreSubject;
    let store: TurnStore;
    let chat: ChatKey;
    beforeEach(async () => {
      subject = await setup();
      ({ store } = subject);
      chat = newChat();
    });
    const get = () => ({ subject, store, chat });

    describe("begin", () => begins(get));
    describe("a lease", () => leases(get));
    describe("commit", () => commits(get));
    describe("an approval", () => closes(get));
    describe("a release", () => releases(get));
  });
}

type Get = () => {
  readonly subject: StoreSubject;
  readonly store: TurnStore;
  readonly chat: ChatKey;
};

function begins(get: Get): void {
  it("finds nothing where nothing waits", async () => {
    const { store, chat } = get();
    expect(await store.begin(chat)).toEqual({ type: "nothing" });
  });

  it("moves an ordinary message into the history and opens its turn", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    await subject.arrive(chat, message("m2"));
    const turn = await begun(store, chat);
    expect(turn).toMatchObject({
      opened: true,
      deaths: 0,
      stopAt: 0,
      approvals: [],
      state: { turn: 1, phase: "thinking", modelCallOpen: true },
      transcript: [message("m1")],
      inbox: [{ position: 2, entry: message("m2") }],
    });
    expect(turn.journal.size).toBe(0);
  });

  it("hands over a reset, and opens nothing", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, reset("r1"));
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    expect(turn).toMatchObject({
      opened: false,
      state: undefined,
      transcript: [],
      inbox: [
        { position: 1, entry: reset("r1") },
        { position: 2, entry: message("m1") },
      ],
    });
  });

  it("hands over what was stopped before it began, and opens nothing", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    await subject.stop(chat);
    expect(await begun(store, chat)).toMatchObject({
      opened: false,
      state: undefined,
      stopAt: 1,
      inbox: [{ position: 1 }],
    });
  });

  it("goes on from what was committed", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const first = await begun(store, chat);
    const asked = approvalOf(store, chat);
    const state = waitingFor(stateOf(first), [asked]);
    await committed(store, first, {
      state,
      turn: 1,
      append: [said(1)],
      journal: { "1.1.0": { v: 1, text: "done", failure: "timeout" } },
      ask: [asked],
      release: {},
    });
    const next = await begun(store, chat);
    expect(next).toMatchObject({
      opened: false,
      state,
      transcript: [message("m1"), said(1)],
      approvals: [{ approval: asked, status: "pending" }],
    });
    expect(next.session.token).not.toBe(first.session.token);
    expect([...next.journal]).toEqual([
      ["1.1.0", { v: 1, text: "done", failure: "timeout" }],
    ]);
  });
}

function leases(get: Get): void {
  it("keeps others away until it is over", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    const later = await store.begin(chat);
    expect(later.type).toBe("later");
    expect(await store.heartbeat(turn.session)).toBe(0);
    if (later.type === "later")
      expect(later.againAtMs).toBeGreaterThan(Date.now());
  });

  it("that ran out is taken over, the death is counted, and the dead one can change nothing", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const dead = await begun(store, chat);
    for (const deaths of [1, 2, 3]) {
      await subject.expireLease(chat);
      expect(await begun(store, chat)).toMatchObject({
        deaths,
        opened: false,
        state: { turn: 1 },
        transcript: [message("m1")],
      });
    }
    expect(
      await store.commit(dead.session, dead.revision, finishing(1)),
    ).toEqual({ type: "fenced" });
    expect(await store.heartbeat(dead.session)).toBeUndefined();
    expect(await store.release(dead.session)).toBe(false);
    expect(
      await store.draft(dead.session, {
        v: 1,
        id: "turn-1",
        text: "late",
        generation: 9,
      }),
    ).toBe(false);
    expect(await subject.outbox(chat)).toEqual([]);
  });

  it("that ran out, but that nobody took over, still counts", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    await subject.expireLease(chat);
    await committed(store, turn, finishing(1));
    expect(await subject.outbox(chat)).toEqual(["turn-1"]);
  });

  it("of a finished turn leaves its deaths behind", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    await begun(store, chat);
    await subject.expireLease(chat);
    await committed(store, await begun(store, chat), finishing(1));
    await subject.arrive(chat, message("m2"));
    expect(await begun(store, chat)).toMatchObject({ deaths: 0 });
  });
}

function commits(get: Get): void {
  const aTurn = async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    return await begun(store, chat);
  };

  it("moves the revision on, and refuses any other than the newest", async () => {
    const { subject, store, chat } = get();
    const turn = await aTurn();
    const step = (text: string): Commit => ({
      state: stateOf(turn),
      turn: 1,
      append: [said(1, text)],
      outbox: [notice(text)],
    });
    const one = await committed(store, turn, step("one"));
    const two = await committed(
      store,
      { ...turn, revision: one.revision },
      step("two"),
    );
    for (const stale of [
      turn.revision,
      turn.revision - 1,
      two.revision + 1,
      99,
    ]) {
      expect(await store.commit(turn.session, stale, step("no"))).toEqual({
        type: "fenced",
      });
    }
    expect(await subject.outbox(chat)).toEqual(["one", "two"]);
  });

  it("that is repeated returns the first outcome and writes nothing twice", async () => {
    const { subject, store, chat } = get();
    const turn = await aTurn();
    const asked = approvalOf(store, chat);
    const commit: Commit = {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      append: [said(1)],
      outbox: [notice("n1")],
      ask: [asked],
      usage: { turns: 1, modelCalls: 1, inputTokens: 1, outputTokens: 1 },
    };
    const first = await committed(store, turn, commit);
    await subject.decide(asked, "approved");
    expect(await committed(store, turn, commit)).toMatchObject({
      revision: first.revision,
      stopAt: first.stopAt,
    });
    await store.release(turn.session);
    const next = await begun(store, chat);
    expect(next.transcript).toEqual([message("m1"), said(1)]);
    expect(next.approvals).toMatchObject([{ status: "approved" }]);
    expect(await subject.outbox(chat)).toEqual(["n1", expect.any(String)]);
  });

  it("that is repeated after its release still returns the first outcome", async () => {
    const { subject, store, chat } = get();
    const turn = await aTurn();
    const first = await committed(store, turn, finishing(1));
    expect(await committed(store, turn, finishing(1))).toEqual(first);
    expect(await subject.outbox(chat)).toEqual(["turn-1"]);
    expect(await store.begin(chat)).toEqual({ type: "nothing" });
  });

  it("of another session does not pass for a repeated one", async () => {
    const { subject, store, chat } = get();
    const turn = await aTurn();
    await committed(store, turn, finishing(1));
    await subject.arrive(chat, message("m2"));
    const other = await begun(store, chat);
    expect(
      await store.commit(turn.session, other.revision, finishing(9)),
    ).toEqual({ type: "fenced" });
    expect(
      await store.commit(turn.session, other.revision - 1, finishing(9)),
    ).toEqual({ type: "fenced" });
    expect(await subject.outbox(chat)).toEqual(["turn-1"]);
  });

  it("takes entries from the inbox, and only as many as it says", async () => {
    const { subject, store, chat } = get();
    for (const id of ["r1", "r2", "r3"]) await subject.arrive(chat, reset(id));
    const turn = await begun(store, chat);
    const { again } = await committed(store, turn, {
      state: undefined,
      turn: 2,
      take: 2,
      append: [reset("r1"), reset("r2")],
      release: {},
    });
    expect(again).toBe(true);
    expect(await begun(store, chat)).toMatchObject({
      transcript: [],
      inbox: [{ position: 3, entry: reset("r3") }],
    });
  });

  it("with a reset starts the view anew behind the newest", async () => {
    const { subject, store, chat } = get();
    const turn = await aTurn();
    await committed(store, turn, {
      ...finishing(1),
      append: [
        said(1, "old"),
        reset("r1"),
        said(1, "older"),
        reset("r2"),
        said(1, "new"),
      ],
    });
    await subject.arrive(chat, message("m2"));
    expect((await begun(store, chat)).transcript).toEqual([
      said(1, "new"),
      message("m2"),
    ]);
  });

  it("that puts a round's results into the history drops its journal; one that does not keeps it", async () => {
    const { store, chat } = get();
    const turn = await aTurn();
    const asked = approvalOf(store, chat);
    const waiting = waitingFor(stateOf(turn), [asked]);
    const one = await committed(store, turn, {
      state: waiting,
      turn: 1,
      append: [said(1)],
      ask: [asked],
      journal: { "1.1.0": { v: 1, text: "a" } },
    });
    const done = {
      ...waiting,
      phase: "acting" as const,
      calls: waiting.calls.map((call) => ({
        ...call,
        status: "done" as const,
      })),
    };
    const more = await committed(
      store,
      { ...turn, revision: one.revision },
      { state: waiting, turn: 1, append: [said(1)] },
    );
    const two = await committed(
      store,
      { ...turn, revision: more.revision },
      { state: done, turn: 1, journal: { "1.1.1": { v: 1, text: "b" } } },
    );
    await store.release(turn.session);
    const next = await begun(store, chat);
    expect([...next.journal.keys()].sort()).toEqual(["1.1.0", "1.1.1"]);
    await committed(
      store,
      { session: next.session, revision: two.revision },
      {
        state: { ...done, phase: "thinking", round: 2, calls: [] },
        turn: 1,
        append: [said(1)],
      },
    );
    await store.release(next.session);
    expect((await begun(store, chat)).journal.size).toBe(0);
  });

  it("tells the stop watermark", async () => {
    const { subject, store, chat } = get();
    const turn = await aTurn();
    await subject.arrive(chat, message("m2"));
    await subject.stop(chat);
    await subject.arrive(chat, message("m3"));
    expect(
      await committed(store, turn, { state: stateOf(turn), turn: 1 }),
    ).toMatchObject({ stopAt: 2, again: false });
  });
}

function closes(get: Get): void {
  it("is closed together with all that the commit writes", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    const asked = approvalOf(store, chat);
    const { revision } = await committed(store, turn, {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      ask: [asked],
    });
    await committed(
      store,
      { session: turn.session, revision },
      finishing(1, { close: [{ id: asked.id, status: "superseded" }] }),
    );
    await expect(subject.decide(asked, "approved")).rejects.toThrow(
      "superseded",
    );
  });

  it("that was decided meanwhile refuses the whole commit that would close it", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    const [one, two] = [approvalOf(store, chat), approvalOf(store, chat)];
    const { revision } = await committed(store, turn, {
      state: waitingFor(stateOf(turn), [one, two]),
      turn: 1,
      ask: [one, two],
    });
    await subject.decide(two, "denied");
    const closing = finishing(1, {
      close: [one, two].map(({ id }) => ({ id, status: "cancelled" as const })),
    });
    expect(await store.commit(turn.session, revision, closing)).toEqual({
      type: "decided",
    });
    expect(await subject.outbox(chat)).not.toContain("turn-1");
    await store.release(turn.session);
    expect(await begun(store, chat)).toMatchObject({
      revision,
      state: { phase: "waiting" },
      transcript: [message("m1")],
      approvals: [{ status: "pending" }, { status: "denied" }],
    });
  });

  it("is asked for under an id that nobody can guess", () => {
    const { store, chat } = get();
    const ids = Array.from({ length: 100 }, () => store.newApprovalId(chat));
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^s\d+-[A-Za-z0-9_-]{22}$/);
  });
}

function releases(get: Get): void {
  const waiting = async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const first = await begun(store, chat);
    const asked = approvalOf(store, chat);
    const state = waitingFor(stateOf(first), [asked]);
    await committed(store, first, {
      state,
      turn: 1,
      ask: [asked],
      release: {},
    });
    return { asked, state, turn: await begun(store, chat) };
  };

  it("with nothing new says so", async () => {
    const { store } = get();
    const { state, turn } = await waiting();
    expect(
      await committed(store, turn, { state, turn: 1, release: {} }),
    ).toMatchObject({ again: false });
  });

  it.each<[string, (asked: Approval) => Promise<void>]>([
    [
      "a message",
      () => get().subject.arrive(get().chat, message("m2", { person: ben })),
    ],
    ["a decision", (asked) => get().subject.decide(asked, "approved")],
    ["a stop", () => get().subject.stop(get().chat)],
  ])("says that %s came meanwhile", async (_, news) => {
    const { store } = get();
    const { asked, state, turn } = await waiting();
    await news(asked);
    expect(
      await committed(store, turn, { state, turn: 1, release: {} }),
    ).toMatchObject({ again: true });
  });

  it("says nothing of messages that were seen and left", async () => {
    const { subject, store, chat } = get();
    await waiting().then(({ turn }) => store.release(turn.session));
    await subject.arrive(chat, message("m2", { person: ben }));
    const turn = await begun(store, chat);
    expect(turn.inbox).toHaveLength(1);
    const left = (count: number): Commit => ({
      state: stateOf(turn),
      turn: 1,
      release: { left: count },
    });
    expect(await committed(store, turn, left(1))).toMatchObject({
      again: false,
    });
    const next = await begun(store, chat);
    await subject.arrive(chat, message("m3", { person: ben }));
    expect(await committed(store, next, left(1))).toMatchObject({
      again: true,
    });
  });

  it("without a commit gives the turn back as it was, and counts no death", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    expect(await store.release(turn.session)).toBe(true);
    expect(await begun(store, chat)).toMatchObject({
      deaths: 0,
      opened: false,
      revision: turn.revision,
      state: { turn: 1, phase: "thinking" },
    });
    expect(
      await store.commit(turn.session, turn.revision, finishing(1)),
    ).toEqual({ type: "fenced" });
  });
}
