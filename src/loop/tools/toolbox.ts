import { z } from "zod";
import { PermanentError } from "../../core/errors.ts";
import type { ToolSpec } from "../../core/model.ts";
import type { Conversation, Tool } from "../../core/tool.ts";
import { findTools, findToolsTool } from "../../tools/find-tools.ts";
import { wireNames } from "../../tools/wire-names.ts";

/** About 8,000 tokens: the definitions of as many tools are offered at once. */
export const maxCharacters = 32_000;
/** OpenAI refuses requests with more than 128 tools: these and the built-in ones are fewer. */
const maxTools = 100;
/** Found tools in one request. */
export const maxFound = 64;

/** The tools that a turn may use, by the name that the model sees. */
export interface Toolbox {
  readonly specs: readonly ToolSpec[];
  find(wireName: string): Tool | undefined;
  /** Set where there are too many tools for one request, and `find_tools` may run. */
  readonly search?: ToolSearch;
  /** The conversation in which a tool is used; absent: nothing is known of it. */
  readonly conversationFor?: (wireName: string) => Conversation;
}

/** By the names that the model sees. */
interface ToolSearch {
  /** `find_tools`. */
  readonly spec: ToolSpec;
  /** The characters of each tool's definition. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Servers' tools that may run. */
  readonly findable: ReadonlySet<string>;
}

/** Whether tools of these sizes are too much for a request. */
export const isTooMuch = (sizes: readonly number[]): boolean =>
  sizes.length > maxTools || sizes.reduce((sum, size) => sum + size, 0) > maxCharacters;

/**
 * @param mayRun whether the rules let a tool run at all; others are never found.
 * @throws PermanentError when two tools have one name.
 */
export function createToolbox(
  tools: readonly Tool[],
  mayRun: (tool: Tool) => boolean = () => true,
): Toolbox {
  const names = wireNames([...tools.map(({ name }) => name), findTools]);
  if (names.size <= tools.length) throw new PermanentError("two tools have one name");
  const byName = new Map(tools.map((tool) => [names.get(tool.name) ?? tool.name, tool]));
  const specs = [...byName].map(([name, tool]) => specOf(name, tool));
  const plain = { specs, find: (name: string) => byName.get(name) };
  const sizes = new Map(specs.map((spec) => [spec.name, JSON.stringify(spec).length]));
  if (!isTooMuch([...sizes.values()])) return plain;
  const findable = specs.flatMap((spec) => {
    const tool = byName.get(spec.name);
    return tool !== undefined && isOfServer(tool) && mayRun(tool)
      ? [{ ...spec, wireName: spec.name, name: tool.name, title: tool.title }]
      : [];
  });
  const finder = findToolsTool(findable);
  const mayBeFound = new Set(findable.map(({ wireName }) => wireName));
  if (!mayRun(finder)) {
    const isOffered = ({ name }: ToolSpec) => mayBeFound.has(name) || !isOfServer(byName.get(name));
    return { ...plain, specs: specs.filter(isOffered) };
  }
  return {
    specs,
    find: (name) => (name === findTools ? finder : byName.get(name)),
    search: {
      spec: specOf(findTools, finder),
      sizes,
      findable: mayBeFound,
    },
  };
}

/** Their names are `server.name`; no built-in tool's has a dot. */
export const isOfServer = (tool: Tool | undefined): boolean => tool?.name.includes(".") === true;

const specOf = (name: string, tool: Tool): ToolSpec => ({
  name,
  description: tool.description,
  parameters: schemaOf(tool),
});

/** What a tool can be given, as JSON Schema. */
export function schemaOf({ parameters, jsonSchema }: Tool): Readonly<Record<string, unknown>> {
  if (jsonSchema !== undefined) return jsonSchema;
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: "input" });
  return schema;
}
