import type { Definitions } from "../../markdown/definitions.ts";
import { flatten, walk } from "../../markdown/flatten.ts";
import type { MarkdownNode, NodeOf } from "../../markdown/nodes.ts";
import type { Mark } from "./runs.ts";
import type { Writer } from "./writer.ts";

/** Where a renderer is. */
export interface Place {
  readonly writer: Writer;
  readonly definitions: Definitions;
  readonly depth: number;
}

const around = (text: string): Mark => ({ open: text, close: text });

export const bold = around("**");
const marks = {
  strong: bold,
  emphasis: around("*"),
  underline: around("__"),
  delete: around("~~"),
  spoiler: around("||"),
};

/** UTF-16 units; a longer address leaves its message too little room for words. */
const maxUrlUnits = 500;
const maxDepth = 60;

/** The content of a paragraph. Unknown nodes keep their text. */
export function writeInlines(nodes: readonly MarkdownNode[], place: Place): void {
  for (const node of nodes) writeInline(node, { ...place, depth: place.depth + 1 });
}

function writeInline(node: MarkdownNode, place: Place): void {
  const { writer, definitions } = place;
  if (place.depth > maxDepth) return writer.write(flatten(node));
  switch (node.type) {
    case "text":
    case "html":
      return writer.write(node.value);
    case "inlineCode":
      return writeCode(node.value, writer);
    case "break":
      return writer.write("\n");
    case "strong":
    case "emphasis":
    case "underline":
    case "delete":
    case "spoiler":
      return writer.marked(marks[node.type], () => writeInlines(node.children, place));
    case "link":
      return writeLink(node, node.url, place);
    case "linkReference":
      return writeLink(node, definitions.urlOf(node), place);
    case "image":
      return writeImage(node.alt, node.url, place);
    case "imageReference":
      return writeImage(node.alt, definitions.urlOf(node), place);
    default:
      return writer.write(flatten(node));
  }
}

/** Never three backticks, which would open a block. */
function writeCode(value: string, writer: Writer): void {
  const text = value.replaceAll("\n", " ");
  if (text.trim() === "") return writer.write(text);
  if (!text.includes("`")) return writer.code(around("`"), text);
  const apart = text.replaceAll(/`(?=`)/g, "`\u200B");
  const isAtEnd = apart.startsWith("`") || apart.endsWith("`");
  writer.code(around("``"), isAtEnd ? ` ${apart} ` : apart);
}

function writeLink(
  node: NodeOf<"link"> | NodeOf<"linkReference">,
  url: string,
  place: Place,
): void {
  const { writer } = place;
  const label = flatten(node);
  const write = (): void => writeInlines(node.children, place);
  if (label.trim() === "") return writer.write(url);
  const isBare = url === label || url === `http://${label}` || url === `mailto:${label}`;
  if (isBare) return writer.write(label);
  writeTarget({ label, words: writtenIn(node) }, url, { write, writer });
}

/** The words of a link that aren't code, each as far as it is written at once. */
const writtenIn = (link: MarkdownNode): readonly string[] =>
  [...walk(link)]
    .filter((node) => node !== link && !("children" in node))
    .map((node) => (node.type === "inlineCode" ? "" : flatten(node)));

/** A picture somewhere in the web is a link to it. */
function writeImage(alt: string | null | undefined, url: string, { writer }: Place): void {
  const label = alt?.trim() ? alt : "image";
  // A link's words have no address of their own.
  if (writer.isInLink) return writer.write(label);
  const write = (): void => writer.write(label);
  writeTarget({ label, words: [label] }, url, { write, writer });
}

/** Brackets in pairs, none within another: others would end a link's words. */
const isBalanced = (label: string): boolean => /^[^[\]]*(?:\[[^[\]]*\][^[\]]*)*$/.test(label);

/** Discord has links to web pages only, and none whose words are an address themselves. */
function writeTarget(
  { label, words }: { readonly label: string; readonly words: readonly string[] },
  url: string,
  { write, writer }: { write: () => void; writer: Writer },
): void {
  const target = url.replaceAll(/[\s()<>\\]/g, (character) =>
    character === "(" || character === ")"
      ? `%${character.charCodeAt(0).toString(16)}`
      : encodeURIComponent(character),
  );
  const isLink =
    /^https?:\/\/[^/]/i.test(target) &&
    target.length <= maxUrlUnits &&
    !/https?:\/\//i.test(label) &&
    isBalanced(label) &&
    writer.canLink(words);
  if (isLink) return writer.marked({ open: "[", close: `](${target})` }, write);
  write();
  if (url !== "") writer.write(` (${url})`);
}
