import { z } from "zod";
import { decidersSchema, entitles, isAsStrict, type Deciders } from "./approval.ts";
import { roles } from "./roles.ts";
import { rememberTool } from "./tool.ts";

/**
 * Which arguments a standing permission covers: exactly the same, or any with the same names and
 * types.
 */
const grantScopes = ["same", "shape"] as const;
export type GrantScope = (typeof grantScopes)[number];

/** A standing permission: matching calls of a chat run without asking until it ends. */
export const grantSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  tool: z.string(),
  /** The tool's version then: another version asks again. */
  definition: z.string(),
  scope: z.enum(grantScopes),
  /** Canonical JSON of the arguments that were approved. */
  arguments: z.string(),
  /**
   * The person who gave it, and who was required to decide such a call then.
   */
  by: z.object({ id: z.string(), name: z.string() }),
  /** Their role then, apart from the chat's own: the permission ends when they have a lower one. */
  role: z.enum(roles).optional(),
  ...decidersSchema.shape,
  /** Whose calls it covers; absent: everyone's in the chat. */
  requester: z.object({ id: z.string(), name: z.string() }).optional(),
  /**
   * The ids of those who requested the call or changed its arguments, for erasures. Earlier
   * versions wrote none.
   */
  wordsOf: z.array(z.string()).optional(),
  /** Milliseconds since the epoch. */
  fromMs: z.number(),
  untilMs: z.number(),
});
export type Grant = Readonly<z.infer<typeof grantSchema>>;

/**
 * The permission mode `auto`: until it ends, calls run without asking where the operator's rule
 * allows that and its setter could approve them alone. Processes that don't know it ask.
 */
export const autoGrantSchema = z.object({
  v: z.literal(1),
  mode: z.literal("auto"),
  /** See `isAutoId`. */
  id: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
  /**
   * Their role then, apart from the chat's own: whether a group's own administrator still is one
   * can't be checked later. The mode ends when they have a lower one.
   */
  role: z.enum(roles),
  /** As in a grant: it holds no one's words. */
  wordsOf: z.array(z.string()),
  /** Milliseconds since the epoch. */
  fromMs: z.number(),
  untilMs: z.number(),
});
export type AutoGrant = Readonly<z.infer<typeof autoGrantSchema>>;
export type AnyGrant = Grant | AutoGrant;

/** Other ids are base64url, which has no colon. */
export const autoIdPrefix = "auto:";

/** Whether a call that runs by the grant of this id runs by the permission mode. Pure. */
export const isAutoId = (id: string): boolean => id.startsWith(autoIdPrefix);

export const isAuto = (grant: AnyGrant): grant is AutoGrant => "mode" in grant;

/** The permission mode as it is shown, if it is `auto`. Pure. */
export const autoAmong = (grants: readonly AnyGrant[]): AutoGrant | undefined =>
  grants.filter(isAuto).toSorted((one, other) => other.untilMs - one.untilMs)[0];

/** The standing permissions of chats, as the loop reads them. */
export interface GrantReader {
  /** Those that have not ended. */
  of(chat: string): Promise<readonly AnyGrant[]>;
}

/** A call that would need an approval. */
export interface GrantableCall {
  readonly tool: string;
  readonly definition: string;
  /** Canonical JSON. */
  readonly arguments: string;
  readonly requesterId: string;
  /** Who may decide it now, and how long a permission or `auto` may last now, in milliseconds. */
  readonly needed: Deciders & {
    readonly alwaysAllowMs?: number | undefined;
    readonly autoMs?: number | undefined;
  };
}

/**
 * The permission by which a call may run without asking. The operator's current
 * rules apply: a permission that lasts longer than they allow, or whose giver
 * may no longer decide such a call, is void. Pure.
 */
export function grantFor(
  grants: readonly AnyGrant[],
  call: GrantableCall,
  nowMs: number,
): AnyGrant | undefined {
  const { alwaysAllowMs = 0, ...needed } = call.needed;
  const own = grants.find(
    (grant) =>
      !isAuto(grant) &&
      nowMs < Math.min(grant.untilMs, grant.fromMs + alwaysAllowMs) &&
      grant.tool === call.tool &&
      grant.definition === call.definition &&
      (grant.requester === undefined || grant.requester.id === call.requesterId) &&
      (call.tool === rememberTool ? isOwnConsent(grant, call) : isAsStrict(grant, needed)) &&
      coversArguments(grant, call.arguments),
  );
  return own ?? grants.find((grant) => isAuto(grant) && autoCovers(grant, call, nowMs));
}

/** Facts are kept with the consent of who says them: no other person's permission counts. */
const isOwnConsent = (grant: Grant, { requesterId, needed }: GrantableCall): boolean =>
  grant.requester?.id === requesterId &&
  grant.by.id === requesterId &&
  (needed.approvers === "requester" || isAsStrict(grant, needed));

/** Whether the mode's setter could approve the call alone, and its rule allows `auto` for so long. */
function autoCovers(
  { by, role, fromMs, untilMs }: AutoGrant,
  { requesterId, needed: { approvers, persons, autoMs = 0 } }: GrantableCall,
  nowMs: number,
): boolean {
  const isRequester = by.id === requesterId;
  return (
    persons === undefined &&
    nowMs < Math.min(untilMs, fromMs + autoMs) &&
    entitles(approvers, { role, isRequester })
  );
}

const coversArguments = (grant: Grant, given: string): boolean =>
  grant.arguments === given ||
  (grant.scope === "shape" && shapeOf(JSON.parse(grant.arguments)) === shapeOf(JSON.parse(given)));

/**
 * The names and types in a value, without its contents; a list may have any
 * length. Pure.
 */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].toSorted().join("|")}]`;
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const fields = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}:${shapeOf(each)}`,
  );
  return `{${fields.toSorted().join(",")}}`;
}

/** An hour is short enough for a single tap. */
const usualSpanMs = 3_600_000;

/**
 * How long a permission from a card's button lasts, in milliseconds; undefined: the card has no
 * such button. Pure.
 */
export const buttonSpanMs = (alwaysAllowMs: number | undefined): number | undefined =>
  alwaysAllowMs === undefined || alwaysAllowMs <= 0
    ? undefined
    : Math.min(usualSpanMs, alwaysAllowMs);
