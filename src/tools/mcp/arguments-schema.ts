import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { z } from "zod";
import type { PlainSchema } from "./normalise-schema.ts";

/**
 * Checks arguments against a normalised schema; what it parses is what was given. Compiled when
 * first needed. zod's own `fromJSONSchema` is not used: it refuses what real servers declare (a
 * `type` list with `object`, objects in `enum`, offsets in `date-time`) and ignores `required`
 * names that have no property.
 */
export function argumentsSchema(schema: PlainSchema): z.ZodType {
  let validate: ((given: unknown) => Verdict) | undefined;
  return z.unknown().superRefine((given, context) => {
    // One validator per tool: it caches what it compiled.
    validate ??= new AjvJsonSchemaValidator().getValidator({ ...schema });
    const { valid, errorMessage } = checked(validate, given);
    if (!valid) context.addIssue({ code: "custom", message: readable(errorMessage) });
  });
}

interface Verdict {
  readonly valid: boolean;
  readonly errorMessage?: string | undefined;
}

function checked(validate: (given: unknown) => Verdict, given: unknown): Verdict {
  try {
    return validate(given);
  } catch {
    // ajv calls the `valueOf` and `toString` of what it compares, also where those are fields.
    return { valid: false, errorMessage: "they cannot be compared with the tool's schema" };
  }
}

/** `data/city must be string` → `city must be string`. */
const readable = (complaint = "they do not fit the tool's schema"): string =>
  complaint.replaceAll(/(^|, )data\//g, "$1").replaceAll(/(^|, )data(?= )/g, "$1the arguments");
