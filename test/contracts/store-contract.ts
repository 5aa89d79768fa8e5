import { beforeEach, describe, expect, it } from "vitest";
import type { Approval, ApprovalStatus } from "../../src/core/approval.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import type { InboxEntry } from "../../src/core/history.ts";
import type { Commit, TurnStore } from "../../src/core/ports.ts";
import type { Todo } from "../../src/core/tool.ts";
import type { Spending } from "../../src/core/turn.ts";
import {
  approvalOf,
  begun,
  ben,
  committed,
  compaction,
  control,
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
  /** As `/settings` does it, except that no one checks the value. */
  set(chat: ChatKey, name: string, value: string): Promise<void>;
  note(chat: ChatKey, note: string): Promise<void>;
  todo(chat: ChatKey, todos: readonly Todo[]): Promise<void>;
  usage(chat: ChatKey): Promise<Readonly<Record<string, Spending>>>;
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
    describe("begin of a chat that collects", () => collects(get));
    describe("a lease", () => leases(get));
    describe("what waits", () => waits(get));
    describe("commit", () => commits(get));
    describe("the view", () => views(get));
    describe("what a commit enqueues", () => enqueues(get));
    describe("usage by model", () => counts(get));
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

  it("returns what was set and noted for the chat", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    expect(await begun(store, chat)).toMatchObject({
      settings: {},
      notes: [],
      todos: [],
    });
    await subject.expireLease(chat);
    await subject.set(chat, "tier", "deep");
    await subject.set(chat, "maxCost", "0.5");
    for (let index = 1; index <= 22; index += 1) await subject.note(chat, `note ${index}`);
    const todos = [
      { text: "buy tea", done: true },
      { text: "drink it", done: false },
    ];
    await subject.todo(chat, todos);
    const turn = await begun(store, chat);
    expect(turn.settings).toEqual({ tier: "deep", maxCost: 0.5 });
    expect(turn.todos).toEqual(todos);
    // The newest twenty, oldest first.
    expect(turn.notes).toHaveLength(20);
    expect([turn.notes[0], turn.notes.at(-1)]).toEqual(["note 3", "note 22"]);
  });

  it("goes on without a setting that it cannot read, and keeps the others", async () => {
    const { subject, store, chat } = get();
    for (const [name, value] of [
      ["tier", "enormous"],
      ["maxModelCalls", "many"],
      ["whileBusy", ""],
      ["constructor", "x"],
      ["of a newer version", "1"],
      ["thinking", "on"],
      ["maxTokens", "1000"],
    ] as const)
      await subject.set(chat, name, value);
    await subject.arrive(chat, message("m1"));
    expect(await begun(store, chat)).toMatchObject({ opened: true });
    await subject.expireLease(chat);
    expect((await begun(store, chat)).settings).toEqual({
      thinking: "on",
      maxTokens: 1000,
    });
  });

  it.each([reset("r1"), control("r1")])("hands over a $kind, and opens nothing", async (entry) => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, entry);
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    expect(turn).toMatchObject({
      opened: false,
      state: undefined,
      transcript: [],
      inbox: [
        { position: 1, entry },
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
    expect([...next.journal]).toEqual([["1.1.0", { v: 1, text: "done", failure: "timeout" }]]);
  });
}

function collects(get: Get): void {
  it("opens a message that waits alone", async () => {
    const { subject, store, chat } = get();
    await subject.set(chat, "whileBusy", "collect");
    await subject.arrive(chat, message("m1"));
    expect(await begun(store, chat)).toMatchObject({
      opened: true,
      settings: { whileBusy: "collect" },
    });
  });

  it("hands over several, to be joined", async () => {
    const { subject, store, chat } = get();
    await subject.set(chat, "whileBusy", "collect");
    await subject.arrive(chat, message("m1"));
    await subject.arrive(chat, message("m2"));
    expect(await begun(store, chat)).toMatchObject({
      opened: false,
      state: undefined,
      transcript: [],
      inbox: [{ position: 1 }, { position: 2 }],
    });
  });
}

function leases(get: Get): void {
  it("keeps others away until it is over", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    const later = await store.begin(chat);
    expect(later.type).toBe("later");
    expect(await store.heartbeat(turn.session)).toEqual({
      stopAt: 0,
      waiting: 0,
    });
    if (later.type === "later") expect(later.againInMs).toBeGreaterThan(0);
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
    expect(await store.commit(dead.session, dead.revision, finishing(1))).toEqual({
      type: "fenced",
    });
    expect(await store.heartbeat(dead.session)).toBeUndefined();
    expect(await store.waiting(dead.session)).toBeUndefined();
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

  it("that ran out while its owner was only held up is no death, but not for ever", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    let owner = await begun(store, chat);
    const heldUp = async (comeBack: () => Promise<unknown>) => {
      await subject.expireLease(chat);
      const next = await begun(store, chat);
      await comeBack();
      owner = next;
      return next.deaths;
    };
    const beat = () => store.heartbeat(owner.session);
    const commit = () => store.commit(owner.session, owner.revision, finishing(1));
    const release = () => store.release(owner.session);
    for (const comeBack of [beat, commit, release, beat, beat, beat, beat])
      expect(await heldUp(comeBack)).toBe(1);
    for (const deaths of [1, 2, 3]) expect(await heldUp(beat)).toBe(deaths);
  });

  it("that ran out at different steps: the deaths before a turn got further do not count", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    let turn = await begun(store, chat);
    const dies = async () => {
      await subject.expireLease(chat);
      turn = await begun(store, chat);
      return turn.deaths;
    };
    const commits = (isProgress: boolean) =>
      committed(store, turn, { state: stateOf(turn), turn: 1, isProgress });
    expect([await dies(), await dies()]).toEqual([1, 2]);
    // A step that is only begun again is none.
    await commits(false);
    expect(await dies()).toBe(3);
    await commits(true);
    expect([await dies(), await dies()]).toEqual([1, 2]);
    // Nor do those that an owner lives to take back.
    const owner = turn.session;
    await dies();
    await commits(true);
    await store.heartbeat(owner);
    expect([await dies(), await dies()]).toEqual([1, 2]);
  });

  it("that holds up one worker after the other while the turn gets further is never a death", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    let turn = await begun(store, chat);
    for (let times = 0; times < 12; times += 1) {
      const owner = turn.session;
      await subject.expireLease(chat);
      turn = await begun(store, chat);
      await store.heartbeat(owner);
      expect(turn.deaths).toBe(1);
      const isProgress = true;
      await committed(store, turn, {
        state: stateOf(turn),
        turn: 1,
        isProgress,
      });
    }
  });

  it("that ran out, but that no one took over, still counts", async () => {
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

function waits(get: Get): void {
  it("is told with every heartbeat and commit, and can be looked at", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    expect(await store.waiting(turn.session)).toEqual([]);
    await subject.arrive(chat, message("m2"));
    await subject.arrive(chat, control("c3"));
    const expected = [
      { position: 2, entry: message("m2") },
      { position: 3, entry: control("c3") },
    ];
    expect(await store.heartbeat(turn.session)).toMatchObject({ waiting: 2 });
    for (let looks = 0; looks < 2; looks += 1)
      expect(await store.waiting(turn.session)).toEqual(expected);
    const one = await committed(store, turn, {
      state: stateOf(turn),
      turn: 1,
      take: 1,
      append: [message("m2")],
    });
    expect(one.waiting).toBe(1);
    expect(await store.waiting(turn.session)).toEqual(expected.slice(1));
  });

  it("is no one's business who does not own the chat", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    await subject.arrive(chat, message("m2"));
    const { again, waiting } = await committed(store, turn, finishing(1));
    expect({ again, waiting }).toEqual({ again: true, waiting: 1 });
    expect(await store.waiting(turn.session)).toBeUndefined();
  });
}

function views(get: Get): void {
  /** A finished turn that left m1 and the answers 0 to 4 in the log, at the positions 0 to 5. */
  const sixEntries = async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const append = [0, 1, 2, 3, 4].map((n) => said(1, `${n}`));
    await committed(store, await begun(store, chat), finishing(1, { append }));
    await subject.arrive(chat, message("m2"));
    return await begun(store, chat);
  };
  const next = async (turn: number, more: Partial<Commit>) => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message(`m${turn + 1}`));
    await committed(store, await begun(store, chat), finishing(turn, more));
    await subject.arrive(chat, message("last"));
    return await begun(store, chat);
  };

  it("begins at the log's start, until something says otherwise", async () => {
    const turn = await sixEntries();
    expect(turn.viewStart).toBe(0);
    expect(turn.transcript).toHaveLength(7);
  });

  it("begins where a compaction says, and holds everything from there on", async () => {
    const { store } = get();
    const turn = await sixEntries();
    // m2 is at 6, the compaction at 7.
    await committed(store, turn, finishing(2, { append: [compaction(3)], viewStart: 4 }));
    const after = await next(3, { append: [said(3)] });
    expect(after.viewStart).toBe(4);
    expect(after.transcript).toEqual([
      said(1, "3"),
      said(1, "4"),
      message("m2"),
      compaction(3),
      message("m4"),
      said(3),
      message("last"),
    ]);
  });

  it("may begin behind everything that was said before the commit", async () => {
    const { store } = get();
    await committed(
      store,
      await sixEntries(),
      finishing(2, { append: [compaction(6)], viewStart: 7 }),
    );
    expect(await next(3, { append: [] })).toMatchObject({
      viewStart: 7,
      transcript: [compaction(6), message("m4"), message("last")],
    });
  });

  it.each([3, 0, -1, 99, Number.NaN, Number.POSITIVE_INFINITY])(
    "never begins earlier than it did, nor behind the log's end: not at %s",
    async (viewStart) => {
      const { store } = get();
      const turn = await sixEntries();
      const { revision } = await committed(store, turn, {
        state: stateOf(turn),
        turn: 2,
        append: [compaction(3)],
        viewStart: 4,
      });
      await committed(
        store,
        { session: turn.session, revision },
        finishing(2, { append: [], viewStart }),
      );
      expect((await next(3, { append: [] })).viewStart).toBe(4);
    },
  );

  it("begins behind a reset, whatever a compaction in the same commit says", async () => {
    const { store } = get();
    const turn = await sixEntries();
    await committed(
      store,
      turn,
      finishing(2, {
        append: [compaction(3), reset("r"), said(2, "new")],
        viewStart: 4,
      }),
    );
    expect(await next(3, { append: [] })).toMatchObject({
      viewStart: 9,
      transcript: [said(2, "new"), message("m4"), message("last")],
    });
  });

  it("of a repeated commit begins where the first one said", async () => {
    const { store } = get();
    const turn = await sixEntries();
    const commit = finishing(2, { append: [compaction(3)], viewStart: 4 });
    const first = await committed(store, turn, commit);
    expect(await committed(store, turn, commit)).toEqual(first);
    const after = await next(3, { append: [] });
    expect(after.viewStart).toBe(4);
    expect(after.transcript).toHaveLength(6);
  });
}

function enqueues(get: Get): void {
  const goOn = message("auto-1", { auto: { goal: "tea", step: 2, of: 3 } });

  it("comes behind what waits, is news at a release, and opens a turn like any message", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    await subject.arrive(chat, message("m2"));
    expect(await committed(store, turn, finishing(1, { enqueue: [goOn] }))).toMatchObject({
      again: true,
      waiting: 2,
    });
    const second = await begun(store, chat);
    expect(second).toMatchObject({
      opened: true,
      state: { turn: 2 },
      inbox: [{ position: 3, entry: goOn }],
    });
    // Seen and left on purpose, but one more has come.
    expect(
      await committed(store, second, {
        state: stateOf(second),
        turn: 2,
        enqueue: [message("auto-2")],
        release: { left: 1 },
      }),
    ).toMatchObject({ again: true, waiting: 2 });
    await committed(store, await begun(store, chat), finishing(2));
    expect(await begun(store, chat)).toMatchObject({
      opened: true,
      state: { turn: 3, auto: { step: 2, of: 3 } },
      inbox: [{ position: 4, entry: message("auto-2") }],
    });
  });

  it("counts behind what the same commit takes", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, control("c1"));
    const turn = await begun(store, chat);
    expect(
      await committed(store, turn, {
        state: undefined,
        turn: 1,
        take: 1,
        enqueue: [goOn],
        release: {},
      }),
    ).toMatchObject({ again: true, waiting: 1 });
    expect(await begun(store, chat)).toMatchObject({
      opened: true,
      state: { turn: 2 },
      transcript: [goOn],
    });
  });

  it("is there once, however often the commit is repeated, and not at all when it is refused", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    const step: Commit = { state: stateOf(turn), turn: 1, enqueue: [goOn] };
    const first = await committed(store, turn, step);
    expect(first).toMatchObject({ again: false, waiting: 1 });
    expect(await committed(store, turn, step)).toEqual(first);
    expect(await store.commit(turn.session, turn.revision + 5, step)).toEqual({
      type: "fenced",
    });
    expect(await store.waiting(turn.session)).toHaveLength(1);
  });

  it("is left out when someone has stopped the turn", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const turn = await begun(store, chat);
    await subject.stop(chat);
    expect(await committed(store, turn, finishing(1, { enqueue: [goOn] }))).toMatchObject({
      again: false,
      waiting: 0,
    });
  });

  it("finds room where messages find none", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m0"));
    const turn = await begun(store, chat);
    for (let index = 1; index <= 20; index += 1) await subject.arrive(chat, message(`m${index}`));
    await expect(subject.arrive(chat, message("m21"))).rejects.toThrow("full");
    expect(await committed(store, turn, finishing(1, { enqueue: [goOn] }))).toMatchObject({
      waiting: 21,
    });
  });

  it("waits for the other pieces where it is a piece of a burst", async () => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message("m1"));
    const enqueue = ["a", "b"].map((id) => message(id, { burst: "album" }));
    await committed(store, await begun(store, chat), finishing(1, { enqueue }));
    expect(await begun(store, chat)).toMatchObject({
      opened: false,
      inbox: [{ position: 2 }, { position: 3 }],
    });
  });
}

function counts(get: Get): void {
  const tokens = { turns: 1, modelCalls: 1, inputTokens: 1, outputTokens: 1 };
  const using = async (id: string, models: Readonly<Record<string, Spending>>) => {
    const { subject, store, chat } = get();
    await subject.arrive(chat, message(id));
    const turn = await begun(store, chat);
    const commit = finishing(stateOf(turn).turn, {
      usage: { ...tokens, models },
    });
    const first = await committed(store, turn, commit);
    expect(await committed(store, turn, commit)).toEqual(first);
  };

  it("is nothing at first", async () => {
    expect(await get().subject.usage(get().chat)).toEqual({});
  });

  it("adds up, each commit once", async () => {
    const { subject, chat } = get();
    await using("m1", {
      "openai/gpt": {
        requests: 2,
        inputTokens: 1_000,
        outputTokens: 10,
        costUsd: 0.000_000_1,
      },
      "local/a model: v2": { requests: 1, inputTokens: 5, outputTokens: 0 },
    });
    await using("m2", {
      "openai/gpt": {
        requests: 1,
        inputTokens: 1,
        outputTokens: 1,
        costUsd: 1.5,
        estimated: true,
      },
      "free/model": {
        requests: 1,
        inputTokens: 1,
        outputTokens: 1,
        costUsd: 0,
      },
    });
    await using("m3", {
      "openai/gpt": { requests: 1, inputTokens: 0, outputTokens: 0 },
    });
    expect(await subject.usage(chat)).toEqual({
      "openai/gpt": {
        requests: 4,
        inputTokens: 1_001,
        outputTokens: 11,
        costUsd: expect.closeTo(1.500_000_1, 12),
        estimated: true,
      },
      "local/a model: v2": { requests: 1, inputTokens: 5, outputTokens: 0 },
      "free/model": {
        requests: 1,
        inputTokens: 1,
        outputTokens: 1,
        costUsd: 0,
      },
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300])(
    "leaves out what is no figure, like %s, and counts the rest",
    async (odd) => {
      const { subject, chat } = get();
      await using("m1", {
        m: { requests: 1, inputTokens: odd, outputTokens: 2.9, costUsd: odd },
      });
      expect(await subject.usage(chat)).toEqual({
        m: { requests: 1, inputTokens: 0, outputTokens: 2 },
      });
    },
  );
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
    const two = await committed(store, { ...turn, revision: one.revision }, step("two"));
    for (const stale of [turn.revision, turn.revision - 1, two.revision + 1, 99]) {
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
    expect(await store.commit(turn.session, other.revision, finishing(9))).toEqual({
      type: "fenced",
    });
    expect(await store.commit(turn.session, other.revision - 1, finishing(9))).toEqual({
      type: "fenced",
    });
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

  it("with a reset starts the view again after the newest", async () => {
    const { subject, store, chat } = get();
    const turn = await aTurn();
    await committed(store, turn, {
      ...finishing(1),
      append: [said(1, "old"), reset("r1"), said(1, "older"), reset("r2"), said(1, "new")],
    });
    await subject.arrive(chat, message("m2"));
    expect((await begun(store, chat)).transcript).toEqual([said(1, "new"), message("m2")]);
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
    expect(await committed(store, turn, { state: stateOf(turn), turn: 1 })).toMatchObject({
      stopAt: 2,
      again: false,
    });
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
    await expect(subject.decide(asked, "approved")).rejects.toThrow("superseded");
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

  it("is asked for under an id that no one can guess", () => {
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
    expect(await committed(store, turn, { state, turn: 1, release: {} })).toMatchObject({
      again: false,
    });
  });

  it.each<[string, (asked: Approval) => Promise<void>]>([
    ["a message", () => get().subject.arrive(get().chat, message("m2", { person: ben }))],
    ["a decision", (asked) => get().subject.decide(asked, "approved")],
    ["a stop", () => get().subject.stop(get().chat)],
  ])("says that %s came meanwhile", async (_, news) => {
    const { store } = get();
    const { asked, state, turn } = await waiting();
    await news(asked);
    expect(await committed(store, turn, { state, turn: 1, release: {} })).toMatchObject({
      again: true,
    });
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
    expect(await store.commit(turn.session, turn.revision, finishing(1))).toEqual({
      type: "fenced",
    });
  });
}
