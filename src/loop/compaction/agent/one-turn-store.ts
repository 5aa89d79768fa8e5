import type { MessageEntry } from "../../../core/history.ts";
import type { BegunTurn, TurnStore } from "../../../core/ports.ts";

/**
 * A store for a single private turn: one message in its inbox, and its results
 * aren't stored. `waiting → begun`; a second begin finds nothing.
 */
export function createOneTurnStore(message: MessageEntry): TurnStore {
  let isBegun = false;
  return {
    begin(chat) {
      if (isBegun) return Promise.resolve({ type: "nothing" });
      isBegun = true;
      const begun: BegunTurn = {
        type: "begun",
        session: { chat, token: "the-only-one" },
        revision: 0,
        state: undefined,
        inbox: [{ position: 1, entry: message }],
        stopAt: 0,
        transcript: [],
        viewStart: 0,
        settings: {},
        notes: [],
        todos: [],
        facts: [],
        summaries: [],
        journal: new Map(),
        approvals: [],
        deaths: 0,
        opened: false,
      };
      return Promise.resolve(begun);
    },
    commit: (_session, revision) =>
      Promise.resolve({
        type: "committed",
        revision: revision + 1,
        stopAt: 0,
        again: false,
        waiting: 0,
      }),
    heartbeat: () => Promise.resolve({ stopAt: 0, waiting: 0 }),
    waiting: () => Promise.resolve([]),
    lookBack: () => Promise.resolve(undefined),
    draft: () => Promise.resolve(true),
    release: () => Promise.resolve(true),
    newApprovalId: () => "none",
    history: async function* () {
      // There is nothing to erase.
    },
    overwrite: () => Promise.resolve(false),
    erase: () => Promise.resolve({ type: "fenced" }),
  };
}
