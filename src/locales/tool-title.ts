import type { Locale } from "./locale.ts";

interface NamedTool {
  /** As rules match it: `name` or `server.name`. */
  readonly tool: string;
  /** Its server's title for it; absent: it has none, or is built in. */
  readonly title?: string | undefined;
}

/** Whether it is one of ours, whose title and description the locales have. */
const isOurs = (tool: string, { toolTitles }: Pick<Locale, "toolTitles">): boolean =>
  Object.hasOwn(toolTitles, tool);

/**
 * What a tool does, in a few words: ours for built-in tools, its server's for others, else the
 * tool's name as words: `write_note` as `Write note`. Nothing in it is escaped. Pure.
 */
export function toolTitle({ tool, title }: NamedTool, { toolTitles }: Locale): string {
  const known: Readonly<Record<string, string>> = toolTitles;
  const [server = "", ...rest] = tool.split(".");
  const own = isOurs(tool, { toolTitles }) ? known[tool] : undefined;
  const words = (rest.length === 0 ? server : rest.join(" ")).replaceAll(/[_-]+/g, " ").trim();
  const text = own ?? title ?? words.slice(0, 1).toUpperCase() + words.slice(1);
  return rest.length === 0 ? text : `${server}: ${text}`;
}

/** The same with the name that rules match, unless it is ours: a server can give any title. Pure. */
export const toolTitleAndName = (named: NamedTool, locale: Locale): string =>
  isOurs(named.tool, locale)
    ? toolTitle(named, locale)
    : `${toolTitle(named, locale)} (${named.tool})`;

/** A built-in tool as lists show it: `Write note (write_note)`. Undefined: it isn't ours. Pure. */
export function listedTool(
  tool: string,
  locale: Locale,
): { readonly title: string; readonly about: string } | undefined {
  const about: Readonly<Record<string, string>> = locale.toolDescriptions;
  if (!isOurs(tool, locale)) return undefined;
  return { title: `${toolTitle({ tool }, locale)} (${tool})`, about: about[tool] ?? "" };
}
