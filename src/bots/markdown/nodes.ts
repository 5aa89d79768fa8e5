import type { fromMarkdown } from "mdast-util-from-markdown";

export type MarkdownRoot = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownRoot["children"][number];
export type NodeOf<Type extends MarkdownNode["type"]> = Extract<MarkdownNode, { type: Type }>;

/** The inline nodes: text, emphasis, links. */
export type Phrasing = NodeOf<"paragraph">["children"][number];

/**
 * Text that is hidden until tapped: `||…||`, as users write it in Discord and
 * in Telegram.
 */
export interface Spoiler {
  type: "spoiler";
  children: Phrasing[];
}

/** `<u>…</u>`, for which Markdown has no syntax. */
export interface Underline {
  type: "underline";
  children: Phrasing[];
}

declare module "mdast" {
  interface PhrasingContentMap {
    spoiler: Spoiler;
    underline: Underline;
  }
  interface RootContentMap {
    spoiler: Spoiler;
    underline: Underline;
  }
}
