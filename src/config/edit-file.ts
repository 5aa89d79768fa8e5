import { isMap, parseDocument, type Document } from "yaml";
import { messageOf, PermanentError } from "../core/errors.ts";

export interface FileChange {
  /** E.g. `["tiers", "balanced", "models"]`. */
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
  /** Put above the section, if that is new. */
  readonly comment?: string;
}

/**
 * The text of a `parley.yaml` with some values set. Other keys and all comments stay; blanks within
 * brackets may change.
 * @throws PermanentError when something else than a mapping is where a key has to go.
 */
export function editFileText(text: string, changes: readonly FileChange[]): string {
  if (changes.length === 0) return text;
  const document = parseDocument(text, { prettyErrors: false, logLevel: "silent" });
  try {
    for (const change of changes) apply(document, change);
  } catch (cause) {
    const where = changes.map(({ path }) => path.join(".")).join(", ");
    throw new PermanentError(`parley.yaml has no place for ${where}: ${messageOf(cause)}`, {
      cause,
    });
  }
  return document.toString({ lineWidth: 0 });
}

function apply(document: Document, { path, value, comment }: FileChange): void {
  document.contents ??= document.createNode({});
  const [section, ...below] = path;
  if (!document.has(section) && isMap(document.contents)) {
    const isFirst = document.contents.items.length === 0;
    const nested = below.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    const key = document.createNode(section);
    if (comment !== undefined) key.commentBefore = comment.replaceAll(/^/gm, " ");
    key.spaceBefore = !isFirst;
    document.contents.add(document.createPair(key, nested));
    return;
  }
  // A key without a value, such as `tiers:`, is not a mapping yet.
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    if (document.hasIn(above) && document.getIn(above) === null)
      document.setIn(above, document.createNode({}));
  }
  document.setIn(path, document.createNode(value));
}
