import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Tool } from "../../../core/tool.ts";
import type { Observation } from "../../../core/turn.ts";
import { wellFormed } from "../../../models/well-formed.ts";
import { withoutKeptId } from "../../../tools/read-more.ts";
import { parseJsonObject } from "../../../text/json-object.ts";

/** As long as names on the wire are; one that a model made up can be any length. */
const maxNameLength = 64;
/** Characters of base64url, 6 bits each: two calls of one turn never meet by chance. */
const digestLength = 16;

/** One finished call. */
export interface FinishedCall {
  readonly wireName: string;
  /** As the model wrote them. */
  readonly arguments: string;
  /** What the model reads. */
  readonly resultText: string;
  readonly failed: boolean;
  /** Undefined: there is none of this name. */
  readonly tool: Pick<Tool, "parameters" | "loopKey"> | undefined;
  /** The parsed `parameters` of the tool; parsed again if absent. */
  readonly given?: unknown;
}

/**
 * What is remembered of a finished call. Pure; never throws, whatever a tool's schema and `loopKey`
 * do.
 */
export function observe(call: FinishedCall): Observation {
  return {
    tool: call.wireName.slice(0, maxNameLength).toWellFormed(),
    call: digest(`${call.wireName}\n${argumentsKey(call)}`),
    // A cut result names another id each time: that alone makes no other result.
    result: digest(withoutKeptId(call.resultText)),
    failed: call.failed,
  };
}

/**
 * Equal for calls that ask for the same: by the tool's own key, else by all arguments; where it
 * refused them, as written.
 */
function argumentsKey({ tool, given, arguments: text }: FinishedCall): string {
  const written = text.trim();
  const raw = wellFormed(parseJsonObject(written === "" ? "{}" : written));
  const parsed = given ?? attempt(() => tool?.parameters.safeParse(raw).data);
  const { loopKey } = tool ?? {};
  const own =
    parsed === undefined || loopKey === undefined
      ? undefined
      : attempt(() => canonicalize({ key: loopKey(parsed) }));
  return own ?? attempt(() => canonicalize(parsed ?? raw)) ?? written;
}

/**
 * Undefined where it cannot be done: a tool's own parts may throw, and JSON cannot hold everything.
 */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, digestLength);
