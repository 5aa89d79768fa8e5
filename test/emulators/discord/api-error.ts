/**
 * Discord's JSON error codes that this emulator answers with (docs: Opcodes and Status Codes,
 * JSON).
 */
const known = {
  unknownApplication: [404, 10002, "Unknown Application"],
  unknownChannel: [404, 10003, "Unknown Channel"],
  unknownGuild: [404, 10004, "Unknown Guild"],
  unknownMember: [404, 10007, "Unknown Member"],
  unknownMessage: [404, 10008, "Unknown Message"],
  unknownUser: [404, 10013, "Unknown User"],
  unknownEmoji: [400, 10014, "Unknown Emoji"],
  unknownWebhook: [404, 10015, "Unknown Webhook"],
  unknownInteraction: [404, 10062, "Unknown interaction"],
  unknownCommand: [404, 10063, "Unknown application command"],
  entityTooLarge: [413, 40005, "Request entity too large"],
  alreadyAcknowledged: [400, 40060, "Interaction has already been acknowledged."],
  tooManyFollowUps: [
    400,
    40094,
    "This interaction has hit the maximum number of follow-up messages",
  ],
  missingAccess: [403, 50001, "Missing Access"],
  directMessageAction: [403, 50003, "Cannot execute action on a DM channel"],
  notTheAuthor: [403, 50005, "Cannot edit a message authored by another user"],
  emptyMessage: [400, 50006, "Cannot send an empty message"],
  cannotSendToUser: [403, 50007, "Cannot send messages to this user"],
  notTextChannel: [400, 50008, "Cannot send messages in a non-text channel"],
  missingPermissions: [403, 50013, "Missing Permissions"],
  invalidWebhookToken: [401, 50027, "Invalid Webhook Token"],
  invalidApiVersion: [400, 50041, "Invalid API version provided"],
  threadArchived: [400, 50083, "Thread is archived"],
  invalidJson: [400, 50109, "The request body contains invalid JSON."],
  replyWithoutHistory: [403, 160002, "Cannot reply without permission to read message history"],
  threadLocked: [403, 160005, "Thread is locked"],
  automaticModeration: [400, 200000, "Message was blocked by automatic moderation"],
  threadExists: [400, 160004, "A thread has already been created for this message"],
  unauthorized: [401, 0, "401: Unauthorized"],
  notFound: [404, 0, "404: Not Found"],
  methodNotAllowed: [405, 0, "405: Method Not Allowed"],
} as const satisfies Record<string, readonly [number, number, string]>;

/** An error that goes out as `{ code, message, errors? }` with its HTTP status. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: { code: number; message: string; errors?: unknown };

  constructor(status: number, body: ApiError["body"]) {
    super(body.message);
    this.status = status;
    this.body = body;
  }

  static of(name: keyof typeof known): ApiError {
    const [status, code, message] = known[name];
    return new ApiError(status, { code, message });
  }
}

interface ErrorTree {
  _errors?: { code: string; message: string }[];
  [key: string]: ErrorTree | ErrorTree["_errors"];
}

/**
 * Collects the faults of one request body and throws them as 50035, nested by path as Discord nests
 * them.
 */
export class FormErrors {
  readonly #tree: ErrorTree = {};
  #count = 0;

  /** `path` is dotted: `embeds.0.description`. */
  add(path: string, code: string, message: string): void {
    let node = this.#tree;
    for (const key of path.split(".").filter(Boolean)) node = (node[key] ??= {}) as ErrorTree;
    // oxlint-disable-next-line no-underscore-dangle -- Discord's own name
    (node._errors ??= []).push({ code, message });
    this.#count += 1;
  }

  required(path: string): void {
    this.add(path, "BASE_TYPE_REQUIRED", "This field is required");
  }

  /** Length in characters; see `characters`. */
  length(path: string, value: unknown, limits: { min?: number; max: number }): void {
    if (typeof value !== "string") {
      this.add(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.");
      return;
    }
    const { min = 0, max } = limits;
    const length = characters(value);
    if (length > max) this.add(path, "BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
    if (length < min) this.add(path, "BASE_TYPE_MIN_LENGTH", `Must be ${min} or more in length.`);
  }

  choice(path: string, value: unknown, allowed: readonly unknown[]): void {
    if (!allowed.includes(value))
      this.add(path, "BASE_TYPE_CHOICES", `Value must be one of {${allowed.join(", ")}}.`);
  }

  throwIfAny(): void {
    if (this.#count === 0) return;
    throw new ApiError(400, {
      code: 50035,
      message: "Invalid Form Body",
      errors: this.#tree,
    });
  }
}

/**
 * Discord counts Unicode code points (a Python service): an emoji outside the BMP is one character,
 * not two.
 */
export function characters(text: string): number {
  return Array.from(text).length;
}
