import type { MessageEntry } from "../../../core/history.ts";
import type { BegunTurn, TurnStore } from "../../../core/ports.ts";

/**
 * A store for one turn that nobody else ever sees: it holds one message in its inbox, and remembers nothing of what comes
 * of it. `waiting → begun`; begun again, there is nothing to do.
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
    draft: () => Promise.resolve(true),
    release: () => Promise.resolve(true),
    newApprovalId: () => "none",
    history: async function* () {
      // Nobody erases what is in no store.
    },
    overwrite: () => Promise.resolve(false),
    erase: () => Promise.resolve({ type: "fenced" }),
  };
}
