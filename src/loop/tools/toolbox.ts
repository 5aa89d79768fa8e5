import { z } from "zod";
import { PermanentError } from "../../core/errors.ts";
import type { ToolSpec } from "../../core/model.ts";
import type { Conversation, Tool } from "../../core/tool.ts";
import { wireNames } from "../../tools/wire-names.ts";

/** The tools that a turn may use, by the name that the model sees. */
export interface Toolbox {
  readonly specs: readonly ToolSpec[];
  find(wireName: string): Tool | undefined;
  /** The conversation in which a tool is used; absent: nothing is known of it. */
  readonly conversationFor?: (wireName: string) => Conversation;
}

/** @throws PermanentError when two tools have one name. */
export function createToolbox(tools: readonly Tool[]): Toolbox {
  const names = wireNames(tools.map(({ name }) => name));
  if (names.size < tools.length) throw new PermanentError("two tools have one name");
  const byName = new Map(tools.map((tool) => [names.get(tool.name) ?? tool.name, tool]));
  const specs = [...byName].map(([name, tool]) => ({
    name,
    description: tool.description,
    parameters: schemaOf(tool),
  }));
  return { specs, find: (name) => byName.get(name) };
}

/** What a tool can be given, as JSON Schema. */
export function schemaOf({ parameters, jsonSchema }: Tool): Readonly<Record<string, unknown>> {
  if (jsonSchema !== undefined) return jsonSchema;
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: "input" });
  return schema;
}
