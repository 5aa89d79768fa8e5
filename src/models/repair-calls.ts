import type { ModelEvent, ToolSpec } from "../core/model.ts";

/**
 * Repairs a call whose meaning is certain: a name with a known mark around exactly one offered
 * tool, and arguments that hold exactly one object in another form. Everything else is left as it
 * is, so that the model is told what is wrong with it. Pure.
 */
export function repairedCall(event: ModelEvent, tools: readonly ToolSpec[]): ModelEvent {
  if (event.type !== "tool-call") return event;
  return {
    ...event,
    name: repairedName(event.name, new Set(tools.map(({ name }) => name))),
    arguments: repairedArguments(event.arguments),
  };
}

/** gpt-oss, Gemini and Kimi write their templates' namespaces before a tool's name. */
const prefix = /^(?:functions?|tools?|default_api|multi_tool_use|assistant|to=functions)[.:/]/i;
/** gpt-oss's marks, Kimi's number of the call, and brackets. */
const suffix = /(?:<\|.*|:\d+|\(\))$/s;

function repairedName(name: string, offered: ReadonlySet<string>): string {
  if (offered.has(name)) return name;
  const withoutSuffix = name.trim().replace(suffix, "").trim();
  const candidates = [
    name.trim(),
    withoutSuffix,
    name.trim().replace(prefix, ""),
    withoutSuffix.replace(prefix, ""),
    withoutSuffix.replace(prefix, "").replace(suffix, ""),
  ];
  const found = new Set(candidates.filter((candidate) => offered.has(candidate)));
  return found.size === 1 ? ([...found][0] ?? name) : name;
}

function withoutFence(text: string): string {
  const isFenced = text.startsWith("```") && text.endsWith("```") && text.length > 6;
  return isFenced ? text.slice(3, -3).replace(/^json/, "").trim() : text;
}

function repairedArguments(text: string): string {
  const inner = withoutFence(text.trim());
  const value = parsed(inner);
  if (value === undefined) return oneOf(objectsIn(inner)) ?? text;
  if (typeof value === "string") {
    const nested = value.trim() === "" ? {} : parsed(value);
    return isEmpty(nested) ? "{}" : isObject(nested) ? value : text;
  }
  if (isEmpty(value)) return "{}";
  return isObject(value) ? inner : text;
}

/** The one object that says something; some proxies send `{}` before the arguments. */
function oneOf(objects: readonly string[]): string | undefined {
  const [first, ...others] = new Set(objects.filter((each) => !isEmpty(parsed(each))));
  if (objects.length > 0 && first === undefined) return "{}";
  return others.length === 0 ? first : undefined;
}

/** The objects of a text that consists of nothing else; none: it has something else. */
function objectsIn(text: string): readonly string[] {
  const objects: string[] = [];
  let depth = 0;
  let from = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isText) {
      if (letter === "\\") at += 1;
      else if (letter === '"') isText = false;
      continue;
    }
    if (depth === 0 && letter !== "{") {
      if (letter?.trim() !== "") return [];
      continue;
    }
    if (letter === '"') isText = true;
    if (letter === "{" && depth++ === 0) from = at;
    if (letter === "}" && --depth === 0) objects.push(text.slice(from, at + 1));
  }
  return depth === 0 && objects.every((each) => isObject(parsed(each))) ? objects : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `{}`, or another form of no arguments: `null`, `[]`. */
const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0);
