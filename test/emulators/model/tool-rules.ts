import type { JsonObject, Problem } from "./problem.ts";
import { isObject, problem, surrogateProblems } from "./problem.ts";

/**
 * OpenAI, "Create chat completion": `a-z, A-Z, 0-9, underscores and dashes, with a maximum length
 * of 64`.
 */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;
/** OpenAI, "Create chat completion": "A max of 128 functions are supported." */
const maxTools = 128;
/** OpenAI's error `string_above_max_length` for `tools[n].function.description`. */
const maxDescriptionLength = 1024;

/** The rules for `tools`, the same on both wires. */
export function toolProblems(tools: unknown): Problem[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) {
    return [
      problem("tools", "Invalid type for 'tools': expected an array of objects.", "invalid_type"),
    ];
  }
  const problems = surrogateProblems(tools, "tools");
  if (tools.length === 0) {
    problems.push(
      problem(
        "tools",
        "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        "empty_array",
      ),
    );
  }
  if (tools.length > maxTools) {
    problems.push(
      problem(
        "tools",
        `Invalid 'tools': array too long. Expected an array with maximum length ${maxTools}, but got an array with length ${tools.length} instead.`,
        "array_above_max_length",
      ),
    );
  }
  const seen = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    problems.push(...oneToolProblems(tool, `tools[${index}]`));
    const name = toolName(tool);
    if (name !== undefined && seen.has(name)) {
      problems.push(
        problem(
          `tools[${index}].function.name`,
          `Invalid 'tools': the name '${name}' is used twice.`,
        ),
      );
    }
    seen.add(name);
  }
  return problems;
}

/** The names of the tools of a request; whatever has no name is left out. */
export function toolNames(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.map(toolName).filter((name) => name !== undefined) : [];
}

function toolName(tool: unknown): string | undefined {
  const definition = isObject(tool) ? tool["function"] : undefined;
  const name = isObject(definition) ? definition["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function oneToolProblems(tool: unknown, path: string): Problem[] {
  if (!isObject(tool) || tool["type"] !== "function") {
    return [
      problem(
        `${path}.type`,
        `Invalid value for '${path}.type'. Supported values are: 'function'.`,
        "invalid_value",
      ),
    ];
  }
  const definition = tool["function"];
  if (!isObject(definition)) {
    return [
      problem(
        `${path}.function`,
        `Missing required parameter: '${path}.function'.`,
        "missing_required_parameter",
      ),
    ];
  }
  const problems: Problem[] = [];
  const name = definition["name"];
  if (typeof name !== "string" || !toolNamePattern.test(name)) {
    problems.push(
      problem(
        `${path}.function.name`,
        `Invalid '${path}.function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$', at most 64 long.`,
        "invalid_value",
      ),
    );
  }
  const description = definition["description"];
  if (description !== undefined && typeof description !== "string") {
    problems.push(
      problem(
        `${path}.function.description`,
        `Invalid type for '${path}.function.description': expected a string.`,
        "invalid_type",
      ),
    );
  } else if (description !== undefined && description.length > maxDescriptionLength) {
    problems.push(
      problem(
        `${path}.function.description`,
        `Invalid '${path}.function.description': string too long. Expected a string with maximum length ${maxDescriptionLength}, but got a string with length ${description.length} instead.`,
        "string_above_max_length",
      ),
    );
  }
  const parameters = definition["parameters"];
  if (parameters !== undefined) {
    problems.push(
      ...rootSchemaProblems(parameters).map((reason) =>
        problem(
          `${path}.function.parameters`,
          `Invalid schema for function '${String(name)}': ${reason}`,
          "invalid_function_parameters",
        ),
      ),
    );
  }
  return problems;
}

function rootSchemaProblems(schema: unknown): string[] {
  if (!isObject(schema) || schema["type"] !== "object") {
    const type = isObject(schema) ? JSON.stringify(schema["type"]) : schema;
    return [`schema must be a JSON Schema of 'type: "object"', got 'type: ${String(type)}'.`];
  }
  const forbidden = ["oneOf", "anyOf", "allOf", "enum", "not"].filter((key) => key in schema);
  return [
    ...(forbidden.length === 0
      ? []
      : [
          `schema must have type 'object' and not have ${forbidden.map((key) => `'${key}'`).join("/")} at the top level.`,
        ]),
    ...schemaProblems(schema, []),
  ];
}

/**
 * What OpenAI checks inside a schema that is not `strict`: shapes of keywords, and that arrays say
 * what they hold.
 */
function schemaProblems(schema: JsonObject, path: string[]): string[] {
  const context = `In context=(${path.map((part) => `'${part}'`).join(", ")})`;
  const problems: string[] = [];
  const type = schema["type"];
  const isArray = type === "array" || (Array.isArray(type) && type.includes("array"));
  if (isArray && !("items" in schema) && !("prefixItems" in schema)) {
    problems.push(`${context}, array schema missing items.`);
  }
  const required = schema["required"];
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === "string"))
  ) {
    problems.push(`${context}, 'required' is required to be an array of strings.`);
  }
  const properties = schema["properties"];
  if (properties !== undefined && !isObject(properties)) {
    problems.push(`${context}, 'properties' is required to be an object.`);
  }
  for (const [keyword, children] of Object.entries(schema)) {
    if (["properties", "$defs", "definitions"].includes(keyword) && isObject(children)) {
      for (const [name, child] of Object.entries(children)) {
        if (isObject(child)) problems.push(...schemaProblems(child, [...path, keyword, name]));
        else if (typeof child !== "boolean")
          problems.push(`${context}, '${name}' is not of type 'object', 'boolean'.`);
      }
    } else if (["items", "additionalProperties", "not"].includes(keyword) && isObject(children)) {
      problems.push(...schemaProblems(children, [...path, keyword]));
    } else if (
      ["anyOf", "oneOf", "allOf", "prefixItems"].includes(keyword) &&
      Array.isArray(children)
    ) {
      for (const [index, child] of children.entries()) {
        if (isObject(child))
          problems.push(...schemaProblems(child, [...path, keyword, String(index)]));
      }
    }
  }
  return problems;
}
