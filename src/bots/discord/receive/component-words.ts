import { ComponentType } from "discord.js";

type Component = Readonly<Record<string, unknown>>;

/** Where components have other components, options or pictures; unknown ones are searched there, too. */
const nests = ["components", "component", "accessory", "items", "options"] as const;
/** The texts that people see of a component, in the order in which they are shown. */
const texts = ["label", "title", "placeholder", "content", "description", "name"] as const;

/**
 * The texts of a message's components, line by line, in their order. Linear: the nesting may be of
 * any depth, and types may be newer than our list of them. Pure.
 */
export function* componentWords(components: unknown): Generator<string> {
  const open: unknown[] = [components];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) {
      // One after another: spreading a long list would overflow the stack.
      for (let at = next.length - 1; at >= 0; at -= 1) open.push(next[at]);
      continue;
    }
    if (!isComponent(next)) continue;
    yield* linesOf(next);
    for (const key of isMenu(next) ? [] : nests.toReversed())
      if (typeof next[key] === "object") open.push(next[key]);
  }
}

function linesOf(component: Component): readonly string[] {
  if (isMenu(component)) return [menuLine(component)];
  const media = component["media"] ?? component["file"];
  const shown = texts
    .filter((key) => media === undefined || (key !== "description" && key !== "name"))
    .map((key) => textOf(component, key))
    .filter((each) => each !== "");
  if (media !== undefined) return [...shown, ...mediaLines(component, media)];
  const url = textOf(component, "url");
  if (component["type"] === ComponentType.Button && url === "") {
    const label = shown.join(" ");
    return label === "" ? [] : [`[button: ${label}]`];
  }
  return url === "" ? shown : [linked(shown.join(" "), url)];
}

/** A picture, video or file; one that is also among the attachments is named with them. */
function mediaLines(component: Component, media: unknown): readonly string[] {
  const description = textOf(component, "description");
  if (description !== "") return [`[media: ${description}]`];
  const isAttached = isComponent(media) && typeof media["attachment_id"] === "string";
  const name = textOf(component, "name");
  if (name !== "") return [`[file: ${name}]`];
  const url = isComponent(media) ? textOf(media, "url") : "";
  return url === "" || isAttached ? [] : [`[media: ${url}]`];
}

/** The most options that Discord shows in a menu. */
const maxOptions = 25;

function menuLine(component: Component): string {
  const { options } = component;
  const labels = (Array.isArray(options) ? options.slice(0, maxOptions) : [])
    .map((option: unknown) => (isComponent(option) ? textOf(option, "label") : ""))
    .filter((label) => label !== "");
  const placeholder = textOf(component, "placeholder");
  return `[${["menu", placeholder, labels.join(", ")].filter((part) => part !== "").join(": ")}]`;
}

const menus: ReadonlySet<unknown> = new Set([
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
]);
const isMenu = ({ type }: Component): boolean => menus.has(type);

/** A link as people see it: its words and where it leads. Pure. */
export const linked = (label: string, url: string): string =>
  label === "" ? url : `[${label}](${url})`;

const isComponent = (value: unknown): value is Component =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textOf(component: Component, key: string): string {
  const { [key]: value } = component;
  return typeof value === "string" ? value.trim() : "";
}
