import { z } from "zod";
import type { Notes, Tool } from "../core/tool.ts";
import { defineTool } from "./define-tool.ts";

/** The notes of one chat: anyone in it may read them, writing one is confirmed by a person. */
export function notesTools(notes: Notes): readonly Tool[] {
  return [
    defineTool({
      name: "read_notes",
      description: "The notes that were written in this chat, oldest first.",
      parameters: z.strictObject({}),
      effect: "read",
      confirm: "never",
      history: "state",
      run: async (_given, { chat }) => {
        const all = await notes.read(chat);
        return {
          text:
            all.length === 0
              ? "There are no notes."
              : all.map((note, index) => `${index + 1}. ${note}`).join("\n"),
        };
      },
    }),
    defineTool({
      name: "write_note",
      description: "Writes a note into this chat's notes. A person confirms it first.",
      parameters: z.strictObject({
        note: z.string().trim().min(1).max(2_000).describe("What to note, in one or two sentences"),
      }),
      effect: "once",
      confirm: "always",
      history: "action",
      // A person agrees to each.
      repeatable: true,
      run: async ({ note }, { chat, idempotencyKey }) => {
        await notes.write(chat, note, idempotencyKey);
        return { text: "Noted." };
      },
    }),
  ];
}
