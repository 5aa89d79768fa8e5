import type { Access, Role } from "../access/access.ts";
import type { CommandDeps } from "../commands/command.ts";
import type { ChatKey } from "../core/chat.ts";
import type { Preference } from "../core/history.ts";
import type { Inbound } from "../core/inbound.ts";
import type { ApprovalStore } from "../store/approvals.ts";
import type { PeopleStore } from "../store/people.ts";

export interface AcceptDeps {
  readonly access: Access;
  readonly people: PeopleStore;
  readonly approvals: ApprovalStore;
  readonly commandDeps: CommandDeps;
  readonly wake: {
    readonly turn: (chat: ChatKey) => Promise<void>;
    readonly delivery: (chat: ChatKey) => Promise<void>;
    /** A burst is complete at this time, in ms since the epoch. */
    readonly turnAt: (chat: ChatKey, atMs: number) => void;
  };
}

/** Something that arrived, with what the door has found out about it. */
export interface Arrived<Kind extends Inbound = Inbound> {
  readonly inbound: Kind;
  readonly chat: ChatKey;
  readonly role: Role;
  /** What the person has chosen for themselves. */
  readonly preference: Preference;
}
