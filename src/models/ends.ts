/** How an answer ended, by the reason that its server gave. */
type AnswerEnd = "good" | "length" | "filtered" | "failed";

/** The model said all that it wanted, in the words of the vendors' APIs. */
const good = [
  "stop stop_sequence stop_string stop_string_found stop_token word",
  "eos eos_token eos_found eot end_of_text end_of_turn end_turn end",
  "tool_call tool_calls tool_use function_call function_calls",
  "complete completed done finish finished normal success",
];

/** A limit of tokens cut it off. */
const length = [
  "length model_length max_length limit token_limit error_limit",
  "max_tokens maximum_tokens max_new_tokens max_output_tokens max_completion_tokens",
  "max_predicted_tokens_reached context_length context_length_reached context_length_exceeded",
  "model_context_window_exceeded context_window_exceeded",
];

/** A filter stopped it; asked again, it would do so again. */
const filtered = [
  "content_filter content_filtered content_blocked filtered guardrail_intervened moderation",
  "safety recitation language blocklist prohibited_content spii model_armor",
  "image_safety image_prohibited_content image_recitation",
  "sensitive refusal error_toxic data_inspection_failed",
];

const ends: ReadonlyMap<string, AnswerEnd> = new Map(
  (Object.entries({ good, length, filtered }) as [AnswerEnd, string[]][]).flatMap(([end, lines]) =>
    lines.flatMap((line) => line.split(" ").map((name) => [plain(name), end] as const)),
  ),
);

/**
 * The good ends are a closed list: every other reason (`insufficient_system_resource`, `abort`,
 * `network_error`, `pause_turn`, `MALFORMED_FUNCTION_CALL`, …) means that the answer broke off.
 * Gateways write the names in either case and with other separators; Google's compatible endpoint
 * says `content_filter: RECITATION`.
 */
export const endOf = (reason: string): AnswerEnd =>
  ends.get(plain(reason.split(":")[0] ?? "")) ?? "failed";

/** For the operator. */
export const brokeOff = (reason: string): string =>
  `the server broke off the answer, with the reason "${reason.slice(0, 200)}"`;

function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .replace(/^finishreason/, "");
}
