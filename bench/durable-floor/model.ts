import { openPool, post } from "./http.ts";

/** A tool call as Chat Completions has it. */
interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { name: string; arguments: string };
}
interface Answer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}
/** The parts of a streamed chunk that are read. */
interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

const headers = {
  "content-type": "application/json",
  accept: "text/event-stream",
  authorization: "Bearer bench",
};
const systemMessage = JSON.stringify({ role: "system", content: "You are a helpful assistant." });
const tools = JSON.stringify([
  {
    type: "function",
    function: {
      name: "get_time",
      description: "Current time in a time zone",
      parameters: {
        type: "object",
        properties: { tz: { type: "string" } },
        required: ["tz"],
        additionalProperties: false,
      },
    },
  },
]);

/** Calls `onData` with each event's data; the far end ends every event with two line feeds. */
function eventSplitter(onData: (data: string) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (;;) {
      const end = rest.indexOf("\n\n", start);
      if (end === -1) break;
      if (rest.startsWith("data: ", start)) onData(rest.slice(start + "data: ".length, end));
      start = end + 2;
    }
    rest = rest.slice(start);
  };
}

/** @param url the base URL without `/v1` */
export function openModel(url: string) {
  const pool = openPool(url);
  const path = `${new URL(url).pathname}/v1/chat/completions`;
  return {
    /** @param messages JSON, with commas between them */
    async ask(messages: string): Promise<Answer> {
      let text = "";
      const calls: ToolCall[] = [];
      let usage: Chunk["usage"];
      const onData = (data: string): void => {
        if (data === "[DONE]") return;
        const chunk = JSON.parse(data) as Chunk;
        usage = chunk.usage ?? usage;
        const delta = chunk.choices[0]?.delta;
        if (delta?.content) text += delta.content;
        for (const part of delta?.tool_calls ?? []) {
          const call = (calls[part.index] ??= {
            id: part.id ?? "",
            type: "function",
            function: { name: "", arguments: "" },
          });
          call.function.name += part.function?.name ?? "";
          call.function.arguments += part.function?.arguments ?? "";
        }
      };
      const body = `{"model":"stub","messages":[${systemMessage},${messages}],"tools":${tools},"stream":true,"stream_options":{"include_usage":true}}`;
      await post(pool, { path, headers, body }, eventSplitter(onData));
      return {
        text,
        calls,
        inputTokens: usage?.prompt_tokens ?? 0,
        outputTokens: usage?.completion_tokens ?? 0,
      };
    },
  };
}
