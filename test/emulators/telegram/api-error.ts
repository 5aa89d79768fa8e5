import type { ResponseParameters } from "@grammyjs/types";

/**
 * A refusal of the Bot API: HTTP status, description and parameters, as in
 * `{"ok":false,"error_code":…}`.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: number;
  readonly parameters: ResponseParameters | undefined;

  constructor(code: number, description: string, parameters?: ResponseParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (description: string): ApiError =>
  new ApiError(400, `Bad Request: ${description}`);

export const forbidden = (description: string): ApiError =>
  new ApiError(403, `Forbidden: ${description}`);

/** `Client.cpp` of tdlib/telegram-bot-api maps MESSAGE_NOT_MODIFIED to this sentence. */
export const notModified = (): ApiError =>
  badRequest(
    "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
  );

export const migrated = (toChatId: number): ApiError =>
  new ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", {
    migrate_to_chat_id: toChatId,
  });

export const tooManyRequests = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, `Too Many Requests: retry after ${retryAfterSeconds}`, {
    retry_after: retryAfterSeconds,
  });
