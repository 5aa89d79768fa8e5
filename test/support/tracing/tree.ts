import type { ReceivedSpan } from "./otlp-decoder.ts";

/** The spans below their parents, each with how it ended and the outcomes of those it links to. */
export function treeOf(spans: readonly ReceivedSpan[]): string {
  const lines = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter((each) => each.parentSpanId === parent)
      .flatMap((each) => {
        const linked = each.links.map(({ spanId }) => {
          const target = spans.find((other) => other.spanId === spanId);
          return ` → ${target ? outcome(target) : "nothing"}`;
        });
        const role = String(each.resource["parley.role"]);
        return [
          `${"  ".repeat(depth)}${each.name} [${role}] ${outcome(each)}${linked.join("")}`,
          ...lines(each.spanId, depth + 1),
        ];
      });
  return lines(undefined, 0).join("\n");
}

function outcome({ attributes, status }: ReceivedSpan): string {
  const parts = [
    attributes["parley.session.outcome"] ??
      attributes["parley.approval.status"] ??
      attributes["parley.outbox.kind"],
    attributes["error.type"] ?? (status.code === 2 ? "error" : undefined),
  ];
  const found = new Set(parts.filter((each) => each !== undefined));
  return found.size === 0 ? "ok" : [...found].join(" ");
}
