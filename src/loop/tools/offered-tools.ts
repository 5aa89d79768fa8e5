import type { LogEntry } from "../../core/history.ts";
import type { ToolSpec } from "../../core/model.ts";
import { serversOf } from "../../tools/find-tools.ts";
import type { Narrowing } from "../narrowing.ts";
import { foundTools } from "../view/found-tools.ts";
import { isOfServer, isTooMuch, maxFound, maxCharacters, type Toolbox } from "./toolbox.ts";

/**
 * The tools of a turn's next request: those that its persona has. Where that is too much for a
 * request, the built-in ones, `find_tools`, and those of servers that the conversation has found or
 * called: in the order in which they came up, so that the request begins as the last one did. Of
 * too many found ones, those stay that were used last. Pure.
 */
export function offeredTools(
  { toolbox, narrowing }: { readonly toolbox: Toolbox; readonly narrowing: Narrowing | undefined },
  session: { readonly transcript: readonly LogEntry[]; readonly viewStart: number },
): readonly ToolSpec[] {
  const { specs, search } = toolbox;
  const nameOf = (wireName: string): string => toolbox.find(wireName)?.name ?? wireName;
  const allowed =
    narrowing === undefined
      ? specs
      : specs.filter(({ name }) => narrowing.allowsTool(nameOf(name)));
  if (search === undefined) return allowed;
  const sizeOf = ({ name }: ToolSpec): number => search.sizes.get(name) ?? 0;
  const core = allowed.filter(({ name }) => !isOfServer(toolbox.find(name)));
  // A chat's tool for skills may have taken the name of a server's.
  const others = allowed.filter(
    ({ name }) => search.findable.has(name) && isOfServer(toolbox.find(name)),
  );
  if (!isTooMuch([...core, ...others].map(sizeOf))) return [...core, ...others];
  const findable = new Map(others.map((spec) => [spec.name, spec]));
  const uses = foundTools(session.transcript, session.viewStart);
  const newest = [...uses].toSorted(([, one], [, other]) => other - one);
  const kept = new Set<string>();
  let left = maxCharacters;
  for (const [name] of newest) {
    const spec = findable.get(name);
    if (spec === undefined) continue;
    left -= sizeOf(spec);
    // The newest one is offered, however large it is.
    if ((left < 0 && kept.size > 0) || kept.size === maxFound) break;
    kept.add(name);
  }
  const servers = serversOf([...findable.keys()].map((name) => ({ name: nameOf(name) })));
  return [
    ...core,
    { ...search.spec, description: `${search.spec.description} ${servers}` },
    ...[...uses.keys()].flatMap((name) => (kept.has(name) ? (findable.get(name) ?? []) : [])),
  ];
}
