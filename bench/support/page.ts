import { UsageError } from "./results.ts";

const startOf = (name: string): string => `<!-- bench:start ${name} -->`;
const endOf = (name: string): string => `<!-- bench:end ${name} -->`;

/** The names of the parts that a page has room for, in their order. Pure. */
export const partsOf = (page: string): readonly string[] =>
  [...page.matchAll(/<!-- bench:start (\S+) -->/g)].map(([, name = ""]) => name);

/**
 * Puts Markdown between `<!-- bench:start name -->` and `<!-- bench:end name -->`, instead of what
 * stands there. Parts of the page that `contents` does not name stay as they are. Pure. @throws
 * UsageError for a name that the page has no room for
 */
export function filled(page: string, contents: ReadonlyMap<string, string>): string {
  let text = page;
  for (const [name, content] of contents) {
    const start = text.indexOf(startOf(name));
    const end = text.indexOf(endOf(name), start);
    if (start === -1 || end === -1)
      throw new UsageError(
        `the page has no "${startOf(name)}" with its end behind it; it has ${partsOf(page).join(", ")}`,
      );
    text = `${text.slice(0, start + startOf(name).length)}\n\n${content.trim()}\n\n${text.slice(end)}`;
  }
  return text;
}
