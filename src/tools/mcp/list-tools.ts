import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";

/** Tools of one server that we take. */
export const maxTools = 1_000;
export const maxPages = 64;

/**
 * In a tool's `_meta`, `keyed`: a call that comes again with the same key is not carried out again.
 */
export const effectField = "parley/effect";

/** A tool as its server declares it; unused fields are not validated. */
export const listedTool = z.looseObject({
  name: z.string().min(1).max(1_024),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
      idempotentHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  _meta: z
    .looseObject({ [effectField]: z.literal("keyed").optional() })
    .optional()
    .catch(undefined),
});

export type ListedTool = z.infer<typeof listedTool>;

const page = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional(),
});

/**
 * All pages of a server's list, until there are more tools than we offer, or too many pages.
 * @param onCut the list has more pages than are read.
 */
export async function listTools(
  client: Client,
  options: { readonly timeout: number; readonly signal: AbortSignal },
  onCut: () => void,
): Promise<readonly unknown[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, page, options);
    tools.push(...answer.tools.slice(0, maxTools + 1));
    cursor = answer.nextCursor;
    if (cursor === undefined || tools.length > maxTools) return tools;
  }
  onCut();
  return tools;
}
