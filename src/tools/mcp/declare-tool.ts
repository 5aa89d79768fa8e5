import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Tool, ToolContext, ToolResult } from "../../core/tool.ts";
import { defineTool } from "../define-tool.ts";
import { argumentsSchema } from "./arguments-schema.ts";
import { cleanLine, cleanText } from "./clean-text.ts";
import { effectField, listedTool, maxTools, type ListedTool } from "./list-tools.ts";
import { normaliseSchema } from "./normalise-schema.ts";
import { headerProblem } from "./parameter-headers.ts";
import { ruleName } from "./rule-name.ts";
import type { McpServerSettings } from "./server-settings.ts";

const maxDescriptionLength = 1_024;
/** A server that reports progress may take this many time limits in all. */
const timeoutFactor = 10;
const longestMs = 5 * 60_000;

/** One tool of a server, as it was declared and as the loop sees it. */
export interface DeclaredTool {
  readonly listed: ListedTool;
  readonly tool: Tool & { readonly version: string };
}

export interface Declaring {
  readonly server: string;
  readonly settings: McpServerSettings;
  readonly run: (
    declared: DeclaredTool,
    given: Record<string, unknown>,
    context: ToolContext,
  ) => Promise<ToolResult>;
}

/** The tools of a server's list that can be offered, and why others can't. Pure. */
export function declareTools(
  list: readonly unknown[],
  declaring: Declaring,
): {
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  readonly problems: readonly string[];
} {
  const tools = new Map<string, DeclaredTool>();
  const problems: string[] = [];
  for (const raw of list.slice(0, maxTools)) {
    const declared = declareTool(raw, declaring);
    if (typeof declared === "string") problems.push(declared);
    else if (tools.has(declared.tool.name))
      problems.push(`"${declared.tool.name}" is declared twice`);
    else tools.set(declared.tool.name, declared);
  }
  if (list.length > maxTools) problems.push(`only the first ${maxTools} tools are offered`);
  return { tools, problems };
}

/** Milliseconds that a call may take in all, progress or not. */
export const totalTimeoutMs = (timeoutMs: number): number =>
  Math.max(timeoutMs, Math.min(timeoutMs * timeoutFactor, longestMs));

function declareTool(raw: unknown, { server, settings, run }: Declaring): DeclaredTool | string {
  const parsed = listedTool.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `a tool's declaration cannot be read (${issue?.path.join(".")}: ${issue?.message})`;
  }
  const listed = parsed.data;
  const version = versionOf(listed);
  if (version === undefined)
    return `"${cleanLine(listed.name, 100)}" has a declaration that cannot be written down`;
  const problem = settings.transport === "http" ? headerProblem(listed.inputSchema) : undefined;
  if (problem !== undefined) return `"${cleanLine(listed.name, 100)}": ${problem}`;
  const jsonSchema = normaliseSchema(listed.inputSchema);
  const tool = defineTool({
    name: ruleName(server, listed.name),
    ...titled(listed),
    description: describe(listed),
    parameters: argumentsSchema(jsonSchema),
    jsonSchema,
    ...declarations(listed, settings.trusted),
    // No annotation says that a newer result replaces an older one; search
    // results of a file, for example, don't.
    history: "action",
    timeoutMs: totalTimeoutMs(settings.timeoutMs),
    // `parameters` accepts only objects.
    run: (given, context) => run(declared, given as Record<string, unknown>, context),
  });
  const declared: DeclaredTool = { listed, tool: { ...tool, version } };
  return declared;
}

/** Annotations are claims of a stranger: they count only where the operator trusts the server. */
function declarations(
  listed: ListedTool,
  trusted: boolean,
): Pick<Parameters<typeof defineTool>[0], "effect" | "confirm"> {
  if (!trusted) return { effect: "once", confirm: "always" };
  const { readOnlyHint, idempotentHint, destructiveHint } = listed.annotations ?? {};
  const again = idempotentHint === true ? "idempotent" : "once";
  if (readOnlyHint === true) return { effect: "read", confirm: "never" };
  return {
    effect: isKeyed(listed) ? "keyed" : again,
    // The standard's default is the worst case.
    confirm: destructiveHint === false ? "never" : "always",
  };
}

const isKeyed = ({ _meta }: ListedTool): boolean => _meta?.[effectField] === "keyed";

/** Characters of a tool's title. */
const maxTitleLength = 60;

function titled({ title, annotations }: ListedTool): { readonly title?: string } {
  const line = cleanLine(title ?? annotations?.title ?? "", maxTitleLength);
  return line === "" ? {} : { title: line };
}

const describe = ({ name, title, description }: ListedTool): string =>
  cleanText(description ?? title ?? name, maxDescriptionLength) || cleanLine(name, 100);

/**
 * Changes with everything that a person may have judged. Undefined: nested too deeply, or not
 * proper text.
 */
function versionOf(listed: ListedTool): string | undefined {
  const { name, title, description, inputSchema, annotations } = listed;
  const keyed = isKeyed(listed) ? { keyed: true } : {};
  try {
    // Absent fields are left out: a tool without a title keeps the version that it had before
    // titles counted.
    const judged = {
      name,
      title,
      description,
      inputSchema,
      annotations,
      ...keyed,
    };
    const text = canonicalize(judged);
    return createHash("sha256")
      .update(text ?? "")
      .digest("base64url");
  } catch {
    return undefined;
  }
}
