import type { ModelRequest } from "./model-request.ts";
import type { JsonObject } from "./problem.ts";
import type { HttpFailure } from "./step.ts";

interface ErrorFields {
  readonly message: string;
  readonly type?: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

/** The body of every error of OpenAI's API. */
export function openAiError({
  message,
  type = "invalid_request_error",
  param = null,
  code = null,
}: ErrorFields): JsonObject {
  return { error: { message, type, param, code } };
}

/** What OpenAI says with a status (and a code, where one status has several meanings). */
export function openAiFailureBody(failure: HttpFailure, request: ModelRequest): JsonObject {
  const fields = standard(failure, request);
  return openAiError({
    ...fields,
    ...(failure.message === undefined ? {} : { message: failure.message }),
    ...(failure.code === undefined ? {} : { code: failure.code }),
  });
}

function standard({ status, code }: HttpFailure, request: ModelRequest): ErrorFields {
  if (code === "context_length_exceeded")
    return {
      message: `This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.`,
      param: "messages",
    };
  if (code === "insufficient_quota")
    return {
      message:
        "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.",
      type: "insufficient_quota",
    };
  if (code === "content_filter")
    return {
      message: "The response was filtered due to the prompt triggering content management policy.",
      param: "prompt",
    };
  switch (status) {
    case 401:
      return {
        message: "Incorrect API key provided.",
        code: "invalid_api_key",
      };
    case 403:
      return {
        message: "Country, region, or territory not supported",
        type: "request_forbidden",
        code: "unsupported_country_region_territory",
      };
    case 404:
      return {
        message: `The model \`${request.model}\` does not exist or you do not have access to it.`,
        code: "model_not_found",
      };
    case 408:
      return { message: "Request timed out.", type: "timeout" };
    case 429:
      return {
        message: `Rate limit reached for ${request.model} in organization org-emulated on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s. Visit https://platform.openai.com/account/rate-limits to learn more.`,
        type: "requests",
        code: "rate_limit_exceeded",
      };
    case 503:
      return {
        message: "The engine is currently overloaded, please try again later",
        type: "server_error",
      };
    default:
      return status >= 500
        ? {
            message: "The server had an error while processing your request. Sorry about that!",
            type: "server_error",
          }
        : { message: "Invalid request." };
  }
}
