/*
 * How servers say that a request is longer than its model's window, by their documentation, their
 * error messages in public issues, and the lists of other agents.
 */

const wordings: readonly RegExp[] = [
  // OpenAI's and Azure's code; Zhipu's finish reason.
  /context[_ ](?:length|window|size)[_ ]exceeded/i,
  // llama.cpp, OpenAI, Ollama, SGLang: "exceeds the available context size", "exceeds the context window".
  /exceed(?:s|ed|_|ing)?\b.{0,60}context/i,
  // MiniMax: "context window exceeds limit".
  /context (?:window|length|size) exceeds/i,
  // OpenRouter, vLLM, Mistral, DeepSeek, Fireworks; xAI: "maximum prompt length is"; DashScope: "Range of input length".
  /maximum (?:context|prompt|model|sequence) length/i,
  /input (?:length|is too long)/i,
  // vLLM: "longer than the maximum model length"; Together: "longer than the model's context length".
  /longer than the (?:maximum |model'?s? )(?:model|context) length/i,
  // LM Studio: "tokens to keep … is greater than the context length", "n_keep (x) >= n_ctx (y)".
  /greater than the context (?:length|size|window)/i,
  /n_keep\b.{0,60}\bn_ctx\b/i,
  /context (?:the )?overflow|exceed_context_size/i,
  // Anthropic, Ollama, Baidu, Fireworks.
  /prompt (?:tokens )?(?:is )?too long|request_too_large|request exceeds the maximum size/i,
  // Gemini: "input token count (x) exceeds the maximum number of tokens allowed"; Copilot: "prompt
  // token count of x exceeds the limit of y".
  /token count\b.{0,40}\bexceeds/i,
  // Kimi: "exceeded model token limit"; watsonx, Tencent, Volcengine.
  /exceed(?:s|ed)?\b.{0,60}(?:token limit|tokens limit|max(?:imum)? message tokens|the maximum length)/i,
  /tokens? (?:exceeds?|exceeded) (?:the )?(?:limit|maximum)/i,
  // Zhipu: "Prompt exceeds max length".
  /prompt exceeds max/i,
  // GitHub Models: "Request body too large for … model. Max size: 8000 tokens."
  /tokens_limit_reached|max size: \d+ tokens/i,
  // Groq, and OpenAI where one request has more than a minute's tokens.
  /reduce (?:the length of (?:the|your)|your message size)|request too large for/i,
  // Together and TGI: "`inputs` tokens + `max_new_tokens` must be <=", "`inputs` must have less than".
  /`?inputs`? (?:tokens \+ |must have less than)/i,
  // SiliconFlow: "must be less than max_seq_len".
  /max_seq_len/i,
  // Cohere: "total number of tokens in the prompt cannot exceed"; Bedrock.
  /tokens\b.{0,60}\bcannot exceed|too many (?:input )?tokens/i,
];

/** A busy minute, however many tokens it was. */
const busy = /rate.?limit(?!_exceeded)|throttl|please wait|too many requests/i;

/** Whether the words of a refusal say that its request was too long. Pure. */
export const saysTooLong = (words: string): boolean =>
  wordings.some((each) => each.test(words)) && !busy.test(words);
