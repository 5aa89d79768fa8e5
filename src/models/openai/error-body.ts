/** An error as OpenAI's client reads one. */
type ErrorBody = Readonly<Record<string, unknown>> | string;

/**
 * The error that a body or an event holds, however its server wraps it; undefined: none. OpenAI's
 * `{"error": …}`, Google's list with one such element, vLLM's and Mistral's own `"object": "error"`,
 * MiniMax's `base_resp`, Cloudflare's `errors`. Pure.
 */
export function errorIn(body: unknown): ErrorBody | undefined {
  if (Array.isArray(body)) return body.length === 1 ? errorIn(body[0]) : undefined;
  if (!isRecord(body)) return undefined;
  const { error, errors, base_resp: status } = body;
  if (isRecord(error) || (typeof error === "string" && error !== "")) return error;
  if (body["object"] === "error") return body;
  if (isRecord(status) && status["status_code"] !== 0)
    return { code: status["status_code"], message: status["status_msg"] };
  if (Array.isArray(errors) && isRecord(errors[0])) return errors[0];
  return undefined;
}

/**
 * The same of a body that is no answer: there an error's fields need no envelope. SiliconFlow has
 * `code` and `message`, Zhipu and others `msg`, FastAPI `detail`.
 */
export function errorOfRefusal(body: unknown): ErrorBody | undefined {
  const wrapped = errorIn(body);
  if (wrapped !== undefined || !isRecord(body)) return wrapped;
  const { message, msg, detail, error_msg: text } = body;
  const said = [message, msg, detail, text].find((each) => typeof each === "string");
  return said === undefined ? body : { ...body, message: said };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
