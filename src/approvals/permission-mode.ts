import { randomBytes } from "node:crypto";
import type { AuditLog } from "../core/audit.ts";
import type { ChatKey } from "../core/chat.ts";
import { autoIdPrefix, isAuto, type AutoGrant } from "../core/grants.ts";
import type { Role } from "../core/roles.ts";
import type { GrantStore } from "../store/approvals/grants.ts";

export interface ModeDeps {
  readonly grants: GrantStore;
  readonly audit: AuditLog;
  /** Milliseconds since the epoch, by Redis' clock. */
  readonly now: () => number;
}

/** Who changes a chat's permission mode. */
export interface ModeChange {
  readonly chat: ChatKey;
  readonly by: { readonly id: string; readonly name: string };
  /** Of the command or tap. */
  readonly eventId: string;
}

/**
 * A chat's permission mode: `ask → auto → ask`, back by itself when its time is over, when an admin
 * ends it, or when its setter gets a lower role. A new `auto` replaces the one before, also by a
 * shorter one. Undefined: the chat has as many permissions as it can have.
 * @param ownRole the setter's, apart from the chat's.
 */
export async function setAuto(
  deps: ModeDeps,
  change: ModeChange,
  { ownRole, spanMs }: { readonly ownRole: Role; readonly spanMs: number },
): Promise<AutoGrant | undefined> {
  const { chat, by } = change;
  const fromMs = deps.now();
  const mode: AutoGrant = {
    v: 1,
    mode: "auto",
    id: `${autoIdPrefix}${randomBytes(6).toString("base64url")}`,
    by: { id: by.id, name: by.name },
    role: ownRole,
    wordsOf: [],
    fromMs,
    untilMs: fromMs + spanMs,
  };
  await deps.grants.revoke(chat, isAuto);
  if (!(await deps.grants.give(chat, mode))) return undefined;
  await noteMode(deps, change, { value: "auto", until: new Date(mode.untilMs).toISOString() });
  return mode;
}

/** Back to `ask`. Whether it was `auto`. */
export async function endAuto(deps: ModeDeps, change: ModeChange): Promise<boolean> {
  const wasAuto = await deps.grants.revoke(change.chat, isAuto);
  if (wasAuto) await noteMode(deps, change, { value: "ask" });
  return wasAuto;
}

/** In direct chats too, unlike other settings: it says what ran without asking. */
const noteMode = (
  { audit }: Pick<ModeDeps, "audit">,
  { chat, by, eventId }: ModeChange,
  details: Readonly<Record<string, string>>,
): Promise<void> =>
  audit.write(eventId, {
    action: "setting-changed",
    by: { id: by.id, name: by.name },
    chat,
    target: "permissions",
    details,
  });
