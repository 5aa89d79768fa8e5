const tag =
  /<(?<end>\/)?(?<name>[A-Za-z_][\w.-]*)(?<attributes>(?:\s+[A-Za-z_][\w:.-]*="[^"<]*")*)\s*(?<empty>\/)?>/y;
const text = /[^<]+/y;
const wrongReference = /&(?!(?:amp|lt|gt|quot|apos);)/;
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const unsayable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/**
 * The texts and attribute values of an XML document without entities of its own, comments or CDATA,
 * as they stand there.
 * @throws Error at the first thing that is not well-formed
 */
export function wellFormed(xml: string): readonly string[] {
  const open: string[] = [];
  const found: string[] = [];
  let roots = 0;
  const refuse = (why: string, at: number): never => {
    throw new Error(`${why} at ${at}: ${xml.slice(at, at + 60)}`);
  };
  if (!xml.isWellFormed()) refuse("half a surrogate pair", 0);
  if (unsayable.test(xml)) refuse("a character that XML cannot hold", 0);
  for (let at = 0; at < xml.length;) {
    const pattern = xml[at] === "<" ? tag : text;
    pattern.lastIndex = at;
    const match = pattern.exec(xml);
    if (match === null) return refuse("no tag", at);
    const { end, name = "", attributes = "", empty } = match.groups ?? {};
    if (wrongReference.test(match[0])) refuse("a wrong reference", at);
    if (pattern === text) {
      if (match[0].includes("]]>")) refuse("]]> in a text", at);
      if (open.length === 0 && match[0].trim() !== "") refuse("a text outside of the root", at);
      found.push(match[0]);
    } else if (end !== undefined) {
      if (open.pop() !== name) refuse("an end without its start", at);
    } else {
      if (open.length === 0) roots += 1;
      const names = [...attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)];
      if (new Set(names.map(([, each]) => each)).size !== names.length)
        refuse("an attribute twice", at);
      found.push(...names.map(([, , value = ""]) => value));
      if (empty === undefined) open.push(name);
    }
    at += match[0].length;
  }
  if (open.length > 0 || roots !== 1) refuse(`${roots} roots, open: ${open.join()}`, xml.length);
  return found;
}
