import { grantFor, type Grant } from "../../core/grants.ts";
import type { Tool } from "../../core/tool.ts";
import type { PreparedCall } from "./prepare-call.ts";
import type { TurnContext } from "../turn-context.ts";

type Ready = PreparedCall & { type: "ready" };

/**
 * What must be unchanged for a standing permission to apply, besides the tool's
 * name. Pure.
 */
export const definitionOf = ({ effect, version = "" }: Tool): string =>
  `${effect} ${version}`.trim();

/** Whether a standing permission can make it unnecessary to ask. */
const isGrantable = (prepared: PreparedCall): prepared is Ready =>
  prepared.type === "ready" &&
  prepared.verdict.type === "confirm" &&
  (prepared.verdict.alwaysAllowMs ?? 0) > 0;

/**
 * The chat's standing permissions, as they are now; nothing is asked of the store where none could
 * matter. Where they cannot be read there are none: a person is asked.
 */
export async function grantsIn(
  { deps, session: { chat } }: TurnContext,
  calls: readonly PreparedCall[],
): Promise<readonly Grant[]> {
  if (!calls.some(isGrantable)) return [];
  try {
    return await deps.grants.of(chat);
  } catch (error) {
    deps.log.warn({ error, chat }, "standing permissions could not be read");
    return [];
  }
}

/**
 * The standing permission that makes asking unnecessary; undefined if people
 * must be asked.
 */
export function grantOf(
  { deps: { clock }, session: { state } }: TurnContext,
  grants: readonly Grant[],
  prepared: PreparedCall,
): Grant | undefined {
  if (!isGrantable(prepared) || prepared.verdict.type !== "confirm") return undefined;
  return grantFor(
    grants,
    {
      tool: prepared.tool.name,
      definition: definitionOf(prepared.tool),
      arguments: prepared.canonical,
      requesterId: state.requester.id,
      needed: prepared.verdict,
    },
    clock.wall(),
  );
}
