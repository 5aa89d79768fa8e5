import { PermanentError } from "../core/errors.ts";

/** `provider/model`, split at the first slash: a model's own name may hold more of them. */
export function splitModelKey(key: string): {
  readonly provider: string;
  readonly name: string;
} {
  const slash = key.indexOf("/");
  if (slash <= 0 || slash === key.length - 1)
    throw new PermanentError(
      `"${key}" is not a model; expected provider/model, e.g. openai/gpt-5-mini`,
    );
  return { provider: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The model as its server calls it. */
export function modelName(key: string): string {
  return splitModelKey(key).name;
}
