import { grantFor, isAuto, isAutoId, type AnyGrant } from "../../core/grants.ts";
import type { Tool } from "../../core/tool.ts";
import type { PreparedCall } from "./prepare-call.ts";
import { whyNoCardHere } from "./why-not-asked.ts";
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
  ((prepared.verdict.alwaysAllowMs ?? 0) > 0 || (prepared.verdict.autoMs ?? 0) > 0);

/**
 * The chat's standing permissions, as they are now; nothing is asked of the store where none could
 * matter. Where they cannot be read there are none: a person is asked.
 */
export async function grantsIn(
  { deps, session: { chat } }: TurnContext,
  calls: readonly PreparedCall[],
): Promise<readonly AnyGrant[]> {
  if (!calls.some(isGrantable)) return [];
  try {
    return await deps.grants.of(chat);
  } catch (error) {
    deps.log.warn({ error, chat }, "standing permissions could not be read");
    return [];
  }
}

/**
 * The standing permission that makes asking unnecessary; undefined if people must be asked. The
 * permission mode replaces only a question that could be asked now.
 * @param by the id of the one that the call was proposed under: one of another kind doesn't count.
 */
export function grantOf(
  context: TurnContext,
  grants: readonly AnyGrant[],
  prepared: PreparedCall,
  by?: string,
): AnyGrant | undefined {
  const { deps, session } = context;
  if (!isGrantable(prepared) || prepared.verdict.type !== "confirm") return undefined;
  const { verdict, tool, canonical } = prepared;
  const isOfKind = (grant: AnyGrant): boolean =>
    (by === undefined || isAuto(grant) === isAutoId(by)) &&
    (!isAuto(grant) || whyNoCardHere(context, verdict) === undefined);
  return grantFor(
    grants.filter(isOfKind),
    {
      tool: tool.name,
      definition: definitionOf(tool),
      arguments: canonical,
      requesterId: session.state.requester.id,
      needed: verdict,
    },
    deps.clock.wall(),
  );
}
