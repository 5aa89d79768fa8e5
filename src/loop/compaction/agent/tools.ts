import { z } from "zod";
import type { Tool, ToolResult } from "../../../core/tool.ts";
import { defineTool } from "../../../tools/define-tool.ts";
import type { Workbench } from "./workbench.ts";

const position = z.int().nonnegative();

/**
 * The four tools with which an agent compresses a conversation. They change a plan in memory and
 * nothing else.
 */
export function compressionTools(bench: Workbench): readonly Tool[] {
  return [
    defineTool({
      name: "get_compression_metadata",
      description:
        "Shows what can be compressed: a page of the conversation with positions (seq) and token counts, where segments may end, and the goal. nextPageFromSeq says where the next page begins.",
      parameters: z.strictObject({ fromSeq: position.default(0) }),
      effect: "read",
      confirm: "never",
      history: "action",
      loop: false,
      run: ({ fromSeq }) => answer(bench.page(fromSeq)),
    }),
    defineTool({
      name: "compress_tool_result",
      description:
        "Cuts one old tool result to what text says, at most 200 characters; without text, to its beginning.",
      parameters: z.strictObject({
        seq: position,
        text: z.string().trim().min(1).max(200).optional(),
      }),
      effect: "idempotent",
      confirm: "never",
      history: "action",
      loop: false,
      run: async ({ seq, text }) => {
        bench.compressResult({ seq, text });
        return answer(await bench.verify());
      },
    }),
    defineTool({
      name: "compress_conversation_segment",
      description:
        "Puts a summary in the place of everything from fromSeq to toSeq. What lies before it and has no summary of its own is cut mechanically. Keep names, numbers, decisions, promises and open questions.",
      parameters: z.strictObject({
        fromSeq: position,
        toSeq: position,
        summary: z.string().trim().min(1),
      }),
      effect: "idempotent",
      confirm: "never",
      history: "action",
      loop: false,
      run: async (given) => {
        bench.compressSegment(given);
        return answer(await bench.verify());
      },
    }),
    defineTool({
      name: "verify_compression_target",
      description: "Measures the conversation as it would be now.",
      parameters: z.strictObject({}),
      effect: "read",
      confirm: "never",
      history: "state",
      loop: false,
      run: async () => answer(await bench.verify()),
    }),
  ];
}

const answer = (value: unknown): Promise<ToolResult> =>
  Promise.resolve({ text: JSON.stringify(value) });
