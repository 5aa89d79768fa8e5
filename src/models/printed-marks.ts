/**
 * - `call`: a tool call that the model has written as text, or its server has left in it.
 * - `thought`: the model's thoughts.
 * - `dropped`: a mark alone; the words after it are the answer's.
 */
export interface PrintedMark {
  readonly opening: string;
  readonly is: "call" | "thought" | "dropped";
  /** The first of them ends it; none: it goes to the end of the answer. */
  readonly closings: readonly string[];
  /** Finds that one, without a search for each to the text's end. */
  readonly end?: RegExp;
}

const mark =
  (is: PrintedMark["is"]) =>
  (opening: string, ...closings: readonly string[]): PrintedMark => ({
    opening,
    is,
    closings,
    ...(closings.length === 0
      ? {}
      : {
          end: new RegExp(
            closings
              .map((closing) => closing.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
              .join("|"),
          ),
        }),
  });
const call = mark("call");
const thought = mark("thought");
const dropped = (opening: string): PrintedMark => mark("dropped")(opening);

/** A name in angle brackets, closed in XML's way. */
const element =
  (make: typeof call) =>
  (name: string): PrintedMark =>
    make(`<${name}>`, `</${name}>`);

/** From the chat templates of the models that are named. None begins with another one. */
export const printedMarks: readonly PrintedMark[] = [
  ...[
    // Qwen, Hermes, GLM, Granite, Ernie; Hunyuan and Jamba; Nemotron; MiniMax; Seed.
    "tool_call",
    "tool_calls",
    "TOOLCALL",
    "minimax:tool_call",
    "seed:tool_call",
    // Claude and OLMo; models that imitate them; Step.
    "function_calls",
    "function_call",
    "tool_use",
    "tool-use",
    "steptml:toolcall",
  ].map(element(call)),
  // Qwen3-Coder and Llama; Claude; MiniMax and Step; Grok.
  call("<function=", "</function>"),
  call("<invoke name=", "</invoke>"),
  call("<steptml:invoke", "</steptml:invoke>"),
  call("<xai:function_call", "</xai:function_call>"),
  // DeepSeek's DSML, with its full-width bars and as some servers write them.
  ...["｜", "|"].flatMap((bar) => [
    ...["function_calls", "tool_calls"].map((name) =>
      call(`<${bar}DSML${bar}${name}>`, `</${bar}DSML${bar}${name}>`),
    ),
    call(`<${bar}DSML${bar}invoke`, `</${bar}DSML${bar}invoke>`),
  ]),
  // DeepSeek V3 and R1; Step. The letter between the words is U+2581.
  ...["▁", "_"].flatMap((space) => [
    call(`<｜tool${space}calls${space}begin｜>`, `<｜tool${space}calls${space}end｜>`),
    call(`<｜tool${space}call${space}begin｜>`, `<｜tool${space}call${space}end｜>`),
  ]),
  // Kimi, its newer form last.
  call("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
  call("<|tool_call_begin|>", "<|tool_call_end|>"),
  call("<|open|>tools", "<|close|>tools"),
  // Mistral; LM Studio's own.
  call("[TOOL_CALLS]"),
  call("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
  // Llama; old Qwen; Granite and Phi; LFM; InternLM; Command; Apertus; Functionary; Firefunction.
  call("<|python_tag|>", "<|eom_id|>", "<|eot_id|>"),
  call("✿FUNCTION✿"),
  call("<|tool_call|>", "<|/tool_call|>"),
  call("<|tool_call_start|>", "<|tool_call_end|>"),
  call("<|action_start|>", "<|action_end|>"),
  call("<|START_ACTION|>", "<|END_ACTION|>"),
  call("<|tools_prefix|>", "<|tools_suffix|>"),
  call("<|recipient|>"),
  call("functools["),
  // Gemma: as code, FunctionGemma's, and the fourth generation's.
  call("```tool_code", "\n```"),
  call("<start_function_call>", "<end_function_call>"),
  call("<|tool_call>", "<tool_call|>"),
  // gpt-oss' harmony.
  call("<|channel|>commentary", "<|call|>", "<|end|>"),
  call("to=functions.", "<|call|>"),
  thought("<|channel|>analysis<|message|>", "<|end|>"),
  dropped("<|channel|>final<|message|>"),
  dropped("<|start|>assistant"),

  ...["think", "thinking", "thought", "seed:think", "antThinking"].map(element(thought)),
  thought("[THINK]", "[/THINK]"), // Magistral
  thought("<|channel>thought", "<channel|>"), // Gemma 4
  thought("◁think▷", "◁/think▷"), // Kimi
  thought("<|START_THINKING|>", "<|END_THINKING|>"), // Command
  thought("<|begin_of_thought|>", "<|end_of_thought|>"), // OpenThoughts
  thought("<|inner_prefix|>", "<|inner_suffix|>"), // Apertus
  ...["<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|begin_of_solution|>"].map(dropped),
  ...["<|end_of_solution|>", "<|im_end|>", "<|eot_id|>", "<|return|>"].map(dropped),
  // A call's end whose beginning the server has taken.
  ...["</tool_call>", "</function>", "</function_calls>", "</invoke>"].map(dropped),
];
