/** A line that is not a JSON object. */
class MalformedLineError extends Error {
  override readonly name = "MalformedLineError";
}

/** `{"error":"…"}` in the stream, after status 200. */
export class ErrorLineError extends Error {
  override readonly name = "ErrorLineError";
}

/**
 * A line of an answer. @throws MalformedLineError; ErrorLineError with the server's own words
 */
export function readLine(line: string): object {
  const value = parsed(line);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new MalformedLineError("the stream holds a line that is not a JSON object");
  if ("error" in value)
    throw new ErrorLineError(
      typeof value.error === "string" ? value.error : JSON.stringify(value.error),
    );
  return value;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
