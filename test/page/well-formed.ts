interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#96;": "`",
};
const decoded = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|#96);/g, (entity) => entities[entity] ?? entity);

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w:-]*(?:="[^"<>]*")?)*)\s*(\/?)>/y;
const unclosed = new Set(["br", "input", "img", "meta", "link"]);

/**
 * Reads markup strictly: every tag is closed in order, and attributes are quoted.
 * @throws where it is anything else
 */
export function wellFormed(markup: string): {
  readonly elements: readonly Element[];
  readonly texts: readonly string[];
} {
  const elements: Element[] = [];
  const texts: string[] = [];
  const open: string[] = [];
  let at = 0;
  while (at < markup.length) {
    if (markup[at] !== "<") {
      const end = markup.indexOf("<", at);
      const text = markup.slice(at, end < 0 ? undefined : end);
      if (text.includes(">")) throw new Error(`a stray > in ${text}`);
      texts.push(decoded(text));
      at += text.length;
      continue;
    }
    tag.lastIndex = at;
    const [all, slash, name = "", attributes = "", selfClosed] = tag.exec(markup) ?? [];
    if (all === undefined) throw new Error(`no tag: ${markup.slice(at, at + 80)}`);
    at += all.length;
    if (slash === "/") {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const given = [...attributes.matchAll(/([a-zA-Z][\w:-]*)(?:="([^"]*)")?/g)];
    elements.push({
      name,
      attributes: Object.fromEntries(
        given.map(([, key = "", value = ""]) => [key, decoded(value)]),
      ),
    });
    if (selfClosed !== "/" && !unclosed.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`<${open.join("> <")}> is left open`);
  return { elements, texts };
}
