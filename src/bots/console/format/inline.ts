import type { NodeOf } from "../../markdown/nodes.ts";
import type { Span, Style } from "./line.ts";

type PhrasingContent = NodeOf<"paragraph">["children"][number];

const reference = (label: string): Span => ({
  text: ` [${label}]`,
  styles: ["dim"],
});

/** A link's target is shown after its text, unless they are equal. */
function withTarget(words: readonly Span[], url: string): Span[] {
  const shown = words.map((span) => span.text).join("");
  const isTarget = url === shown || url.replace(/^\w+:(\/\/)?/, "") === shown;
  return isTarget || url === "" ? [...words] : [...words, { text: ` (${url})`, styles: ["dim"] }];
}

/** Marked-up words as spans; a span may hold newlines. */
export function spansOf(nodes: readonly PhrasingContent[], styles: readonly Style[] = []): Span[] {
  return nodes.flatMap((node): Span[] => {
    switch (node.type) {
      case "text":
      case "html":
        return [{ text: node.value, styles }];
      case "break":
        return [{ text: "\n", styles }];
      case "inlineCode":
        return [{ text: node.value, styles: [...styles, "code"] }];
      case "strong":
        return spansOf(node.children, [...styles, "bold"]);
      case "emphasis":
        return spansOf(node.children, [...styles, "italic"]);
      case "delete":
        return spansOf(node.children, [...styles, "strike"]);
      case "underline":
        return spansOf(node.children, [...styles, "underline"]);
      case "spoiler":
        // Nothing can be tapped here: what others would hide is only set apart.
        return [
          { text: "||", styles: ["dim"] },
          ...spansOf(node.children, styles),
          { text: "||", styles: ["dim"] },
        ];
      case "link":
        return withTarget(spansOf(node.children, [...styles, "link"]), node.url);
      case "image":
        return withTarget([{ text: node.alt ?? "", styles }], node.url);
      case "linkReference":
        return [
          ...spansOf(node.children, [...styles, "link"]),
          reference(node.label ?? node.identifier),
        ];
      case "imageReference":
        return [{ text: node.alt ?? "", styles }, reference(node.label ?? node.identifier)];
      case "footnoteReference":
        return [reference(`^${node.label ?? node.identifier}`)];
      default:
        return node satisfies never;
    }
  });
}

/** The spans of each line. */
export function splitSpans(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const span of spans) {
    span.text.split("\n").forEach((text, index) => {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push({ text, styles: span.styles });
    });
  }
  return lines;
}
