import { createHash } from "node:crypto";

/** UTF-16 units of a tool's own name that rules may match as it is. */
const maxLength = 128;
/** Characters kept of a name that has to be changed. */
const keptLength = 64;

/**
 * The name that rules match: `server.tool`. Whatever else than `[A-Za-z0-9_-]`, in parts joined by
 * dots, a server calls its tool becomes `_`, and a hash of the real name makes it unique. Pure.
 */
export function ruleName(server: string, tool: string): string {
  if (tool.length <= maxLength && /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(tool))
    return `${server}.${tool}`;
  const kept = tool.slice(0, keptLength).replaceAll(/[^A-Za-z0-9_-]+/g, "_");
  const hash = createHash("sha256").update(tool).digest("hex").slice(0, 8);
  return `${server}.${kept}_${hash}`;
}
