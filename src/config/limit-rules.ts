import type { Settings } from "./settings.ts";
import { limitedRoles } from "../core/limit-scopes.ts";
import { platforms } from "../core/chat.ts";
import type { Limit, LimitRule, LimitScope } from "../core/limits.ts";

/** The limits of the operator's file, each with its scope. */
export function limitRules({ limits }: Pick<Settings, "limits">): readonly LimitRule[] {
  return [
    ...of({ kind: "person" }, limits.person),
    ...of({ kind: "chat" }, limits.chat),
    ...limitedRoles.flatMap((role) => of({ kind: "role", role }, limits.role[role])),
    ...platforms.flatMap((platform) =>
      of({ kind: "platform", platform }, limits.platform[platform]),
    ),
    ...of({ kind: "global" }, limits.global),
  ];
}

const of = (scope: LimitScope, set: readonly Limit[]): LimitRule[] =>
  set.map((limit) => ({ scope, limit }));
