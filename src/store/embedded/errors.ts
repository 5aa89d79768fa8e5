import { PermanentError } from "../../core/errors.ts";

/** The embedded Redis can't run; the message says what the operator can do. */
export class EmbeddedRedisError extends PermanentError {
  override readonly name = "EmbeddedRedisError";
}
