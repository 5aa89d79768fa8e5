import { walk } from "./flatten.ts";
import type { MarkdownRoot, NodeOf } from "./nodes.ts";

type Reference = Pick<NodeOf<"linkReference">, "identifier">;

/** Where a document's `[label]: address` lines lead, and which of them its text refers to. */
export class Definitions {
  readonly #urls = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(root: MarkdownRoot) {
    for (const node of walk(root)) {
      if (node.type === "definition" && !this.#urls.has(node.identifier))
        this.#urls.set(node.identifier, node.url);
      if (node.type === "linkReference" || node.type === "imageReference")
        this.#used.add(node.identifier);
    }
  }

  urlOf({ identifier }: Reference): string {
    return this.#urls.get(identifier) ?? "";
  }

  isUsed({ identifier }: Reference): boolean {
    return this.#used.has(identifier);
  }
}
