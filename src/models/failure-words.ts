import type { ModelFailureKind } from "../core/model.ts";

/** A kind of failure that vendors say in words, whatever status they send with them. */
interface Wording {
  readonly kind: ModelFailureKind;
  /** In the error's `code` and `type`. */
  readonly names: RegExp;
  /** In its message. */
  readonly message: RegExp;
  /** Its message says so as well, but means something else. */
  readonly except?: RegExp;
  /** Statuses that are meant; absent: any. Undefined is an error after status 200. */
  readonly statuses?: readonly (number | undefined)[];
}

/**
 * The first that fits counts. The order matters: OpenRouter's "Your input was flagged … No credits
 * were charged" is about the input.
 */
const wordings: readonly Wording[] = [
  {
    // Anthropic, Azure's `content_filter` of an answer, DashScope, MiniMax 1027, Volcengine.
    kind: "refused",
    names: /output\w*(?:sensitive|filter|moderat)|^1027\b/i,
    message:
      /\b(?:output|response|completion|generated)\b.{0,40}(?:blocked|filtered(?! due to the prompt)|inappropriate|sensitive|flagged)|输出.{0,20}敏感/i,
  },
  {
    // `invalid_prompt`: "flagged as potentially violating our usage policy", among the Responses
    // API's other policies; DashScope, LiteLLM, DeepSeek ("Content Exists Risk"), Kimi, Zhipu 1301,
    // MiniMax 1026, StepFun, Volcengine, OpenRouter ("Your input was flagged"), xAI.
    kind: "moderated",
    names:
      /content_?filter|content management policy|responsible_?ai|invalid_prompt|_policy(?:$|_violation|\s)|data_?inspection|content_?policy|moderation|sensitive_?content|prohibited_content|(?:^|\s)(?:1301|1026)(?:\s|$)/i,
    message:
      /(?:input|prompt|request|message|content).{0,60}(?:was|were|been|is) flagged|requires moderation|content ?policy ?violation|content management policy|inappropriate content|content exists risk|considered high risk|new_sensitive|sensitive (?:content|information|words)|(?:violates?|violating|violation of).{0,30}(?:usage|content|safety|use) (?:policy|policies|guidelines)|prohibited_content|prompt (?:was |is )?blocked|(?:不安全|敏感|违规)/i,
  },
  {
    // Groq, Ollama ("error parsing tool call"), llama.cpp: the model has written a call that its
    // server can't read.
    kind: "broken-call",
    names: /tool_use_failed|json_validate_failed|output_parse_failed|malformed_function_call/i,
    message:
      /failed to call a function|failed_generation|error parsing tool call|tool call validation failed|failed to parse input at pos|model (?:has )?produced output that does not match|malformed[_ ]function[_ ]call/i,
  },
  {
    // OpenAI, Kimi, DashScope ("Arrearage"), Volcengine, LiteLLM, Novita, Zhipu 1113, MiniMax 1008,
    // Anthropic ("credit balance is too low"), xAI, SiliconFlow, Hugging Face, Google, OpenRouter.
    kind: "no-credit",
    names:
      /insufficient_(?:quota|balance|funds|credits?|user_quota)|billing_(?:hard_limit|not_active|error|disabled)|exceeded_current_quota|arrearage|overdue|budget_?exceeded|not_enough_balance|payment_required|(?:^|\s)(?:1113|1008|30001)(?:\s|$)/i,
    message:
      /insufficient[_ ](?:account )?(?:balance|credits?|funds|quota)|balance (?:is )?(?:too low|insufficient|not enough|exhausted)|not enough (?:balance|credits?|funds)|have any credits|out of credits?|credits? (?:(?:are|is|has been|have been) )?(?:depleted|exhausted|used up)|used all (?:(?:of )?(?:your|its) )?(?:available )?credits|(?:spend|spending|credit|budget) (?:limit|has been) (?:reached|exceeded|hit)|monthly spending limit|exceeded your monthly included credits|\bkey limit exceeded|overdue|arrears|good standing|billing to be enabled|余额不足|欠费/i,
    except: /rate[ -]?limit|per[ -](?:minute|hour|day)\b|(?:try again|retry) in \d/i,
  },
  {
    // Google and xAI answer 400 to a bad key; MiniMax 1004 and 2049 come after status 200.
    kind: "auth",
    names:
      /invalid_?api_?key|api_key_invalid|authentication_?(?:error|failed)|(?:^|\s)(?:1004|2049)(?:\s|$)/i,
    message:
      /api[_ -]?key(?: is| was)? not valid|(?:invalid|incorrect|wrong|expired|missing|malformed)(?: x-| )?api[_ -]?(?:key|token|secret)|api[_ -]?key (?:has |was |is )?(?:been )?(?:expired|invalid|disabled|revoked|reported)|\blogin fail|authentication (?:fail|error)|invalid authentication|no auth credentials|invalid proxy server token/i,
    statuses: [undefined, 400, 401, 403, 422],
  },
  {
    // Mistral, DeepSeek and OpenRouter answer 400; a decommissioned model is Groq's, a deployment
    // Azure's.
    kind: "unknown-model",
    names:
      /model_?not_?(?:found|supported|exist)|model_decommissioned|unknown_model|invalid_model|deploymentnotfound|(?:^|\s)(?:1211|20012)(?:\s|$)/i,
    message:
      /\bmodels?\b[^\n]{0,120}?(?:\bnot (?:found|exist)|(?:does(?: not|n't)|did not) exist|decommissioned|not deployed|no longer (?:supported|available)|not supported by any provider)|(?:no such|unknown|invalid) model\b|not found the model|not a valid model|no endpoints found for|unable to access model|api deployment for this resource|no models? loaded|模型不存在/i,
    statuses: [undefined, 400, 403, 404, 410, 422],
  },
];

/** The kind that an error's words say, if they say any. Pure. @param names its `code` and `type`. */
export function wordedKind(
  status: number | undefined,
  { names, message }: { readonly names: string; readonly message: string },
): ModelFailureKind | undefined {
  return wordings.find(
    (wording) =>
      (wording.statuses?.includes(status) ?? true) &&
      (wording.names.test(names) ||
        (wording.message.test(message) && !(wording.except?.test(message) ?? false))),
  )?.kind;
}
