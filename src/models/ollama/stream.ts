import { z } from "zod";
import type { Usage } from "../../core/history.ts";
import type { ModelEvent } from "../../core/model.ts";
import { AnswerText } from "../answer-text.ts";
import { brokeOff, endOf } from "../ends.ts";
import { failedAs, lifeSign } from "../events.ts";
import { tokenCountSchema } from "../usage.ts";

const text = z.string().nullish().catch(undefined);
const count = tokenCountSchema.nullish().catch(undefined);

/** A line of `/api/chat`; what cannot be read is undefined. */
const lineSchema = z.object({
  message: z
    .object({
      content: text,
      thinking: text,
      tool_calls: z
        .array(
          z.object({
            /** Only newer servers send one. */
            id: text,
            function: z
              .object({ name: text, arguments: z.unknown().optional() })
              .nullish()
              .catch(undefined),
          }),
        )
        .nullish()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
  done: z.boolean().nullish().catch(undefined),
  done_reason: text,
  prompt_eval_count: count,
  eval_count: count,
});

/**
 * Turns the lines of one answer into events. Calls arrive whole and are passed on at the end.
 * `reading → ended` (by the line that says `done`).
 */
export class ChatLineReader {
  readonly #mayCall: boolean;
  readonly #words = new AnswerText();
  readonly #calls: Extract<ModelEvent, { type: "tool-call" }>[] = [];

  constructor(options: { readonly mayCall: boolean }) {
    this.#mayCall = options.mayCall;
  }

  push(raw: unknown): ModelEvent[] {
    const parsed = lineSchema.safeParse(raw);
    if (!parsed.success) return [lifeSign];
    const line = parsed.data;
    const { content, thinking, tool_calls: calls } = line.message ?? {};
    const events: ModelEvent[] = [
      ...this.#words.reasoning(thinking ?? ""),
      ...this.#words.text(content ?? ""),
    ];
    for (const call of calls ?? [])
      // One without a name is no call.
      if (call.function?.name)
        this.#calls.push({
          type: "tool-call",
          id: call.id ?? "",
          name: call.function.name,
          arguments: argumentText(call.function.arguments),
        });
    if (line.done === true) events.push(...this.#end(line));
    return events.length === 0 ? [lifeSign] : events;
  }

  /** Text that was held back when the answer ends early. */
  interrupted(): ModelEvent[] {
    return this.#words.flush();
  }

  #end(line: z.infer<typeof lineSchema>): ModelEvent[] {
    const usage = usageOf(line);
    const reason = line.done_reason || "stop";
    const end = endOf(reason);
    const calls = this.#mayCall && end !== "filtered" ? this.#calls : [];
    const good = calls.length > 0 ? "tool-calls" : "stop";
    return [
      ...this.#words.flush(),
      ...(end === "failed" ? [] : calls),
      ...(usage ? [{ type: "usage", usage } as const] : []),
      end === "failed"
        ? failedAs("overloaded", brokeOff(reason))
        : { type: "finish", reason: end === "good" ? good : end },
    ];
  }
}

/** A prompt that was cached whole has no count on older servers. */
function usageOf(line: z.infer<typeof lineSchema>): Usage | undefined {
  const { prompt_eval_count: input, eval_count: output } = line;
  return typeof input === "number" || typeof output === "number"
    ? { inputTokens: input ?? 0, outputTokens: output ?? 0 }
    : undefined;
}

function argumentText(value: unknown): string {
  if (typeof value === "string") return value.trim() === "" ? "{}" : value.toWellFormed();
  return JSON.stringify(value ?? {});
}
