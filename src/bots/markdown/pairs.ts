import { walk } from "./flatten.ts";
import type { MarkdownNode, MarkdownRoot, NodeOf, Phrasing, Spoiler, Underline } from "./nodes.ts";

type Kind = (Spoiler | Underline)["type"];

/** A node, or a mark that may begin or end a pair and is this node where it does neither. */
interface Item {
  readonly node: Phrasing;
  readonly mark?: {
    readonly kind: Kind;
    readonly opens: boolean;
    readonly closes: boolean;
  };
}

/** An open pair and its content so far. */
interface Frame {
  readonly kind: Kind | undefined;
  readonly mark: Phrasing | undefined;
  readonly children: Phrasing[];
}

/**
 * Turns pairs of marks among the children of one node into nodes, and `<br>` into breaks. Changes
 * the tree.
 */
export function addPairs(root: MarkdownRoot, source: string): void {
  if (!/\|\||<(?:u|ins|br)\b/i.test(source)) return;
  for (const node of walk(root))
    if (hasPhrasing(node))
      node.children = paired(node.children.flatMap((child) => itemsOf(child, source)));
}

type Parent = Extract<MarkdownNode, { children: Phrasing[] }>;
const hasPhrasing = (node: MarkdownRoot | MarkdownNode): node is Parent =>
  [
    "paragraph",
    "heading",
    "tableCell",
    "emphasis",
    "strong",
    "delete",
    "link",
    "linkReference",
  ].includes(node.type);

function itemsOf(node: Phrasing, source: string): Item[] {
  if (node.type === "html") return [itemOfHtml(node)];
  if (node.type !== "text" || !node.value.includes("||")) return [{ node }];
  const { start, end } = node.position ?? {};
  const isEscaped = source.slice(start?.offset, end?.offset).includes("\\|");
  if (isEscaped) return [{ node }];
  // Four are the end of one and the beginning of the next.
  return [...node.value.matchAll(/\|{2,}|(?:(?!\|\|)[^])+/g)].flatMap(
    ({ 0: value, index }): Item[] => {
      if (value !== "||" && value !== "||||") return [{ node: { type: "text", value } }];
      const opens = !/\s/.test(node.value[index + value.length] ?? "");
      const closes = !/\s/.test(node.value[index - 1] ?? "");
      const mark: Item = {
        node: { type: "text", value: "||" },
        mark: { kind: "spoiler", opens, closes },
      };
      return value === "||" ? [mark] : [mark, mark];
    },
  );
}

function itemOfHtml(node: NodeOf<"html">): Item {
  if (/^<br\s*\/?>$/i.test(node.value)) return { node: { type: "break" } };
  const [, slash] = /^<(\/?)(?:u|ins)>$/i.exec(node.value) ?? [];
  if (slash === undefined) return { node };
  const closes = slash !== "";
  return { node, mark: { kind: "underline", opens: !closes, closes } };
}

/** One pass: of each kind at most one is open. */
function paired(items: readonly Item[]): Phrasing[] {
  const outer: Frame = { kind: undefined, mark: undefined, children: [] };
  let frames: readonly Frame[] = [outer];
  const top = (): Frame => frames.at(-1) ?? outer;
  const leave = (): void => {
    const { mark, children } = top();
    frames = frames.slice(0, -1);
    top().children.push(...(mark ? [mark] : []), ...children);
  };
  for (const { node, mark } of items) {
    const isOpen = frames.some(({ kind }) => kind === mark?.kind);
    if (mark?.closes && isOpen && frames.length > 1) {
      while (top().kind !== mark.kind) leave();
      const { children } = top();
      frames = frames.slice(0, -1);
      top().children.push({ type: mark.kind, children });
    } else if (mark?.opens && !isOpen)
      frames = [...frames, { kind: mark.kind, mark: node, children: [] }];
    else top().children.push(node);
  }
  while (frames.length > 1) leave();
  return outer.children;
}
