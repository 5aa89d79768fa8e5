import type { Client, ClientCapabilities, ElicitRequest } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { Logger } from "pino";

/** UTF-16 units of a form's schema as JSON. */
const maxFormLength = 32_000;

type Value = string | number | boolean | string[];

export type FormAnswer =
  | { readonly action: "accept"; readonly content: Record<string, Value> }
  | {
      readonly action: "decline";
      /** For the log: nothing of the form is in it. */
      readonly reason: string;
    };

/** Declares support for forms only, not for pages to open. */
export const formCapabilities: ClientCapabilities = {
  elicitation: { form: { applyDefaults: true } },
};

/** From now on the server's forms are answered, with nothing but what they bring themselves. */
export function answerForms(client: Client, log: Logger): void {
  client.setRequestHandler("elicitation/create", ({ params }) => {
    const answer = formAnswer(params);
    if (answer.action === "accept") {
      log.info("an MCP server's form was accepted with its defaults");
      return answer;
    }
    const { action, reason } = answer;
    log.info({ reason }, "an MCP server's form was declined");
    return { action };
  });
}

/**
 * A form's own defaults, or no. Nothing is made up: a required field without a default, or a form
 * without any default at all, such as a mere "Really?", needs a person. The library has left of
 * each field only what the standard knows, so no regular expression of a stranger's runs, and no
 * reference is followed. Pure, and never throws.
 */
export function formAnswer(params: ElicitRequest["params"]): FormAnswer {
  if (params.mode === "url") return decline("it is a page to be opened");
  const { properties, required = [] } = params.requestedSchema;
  const form = { type: "object", properties, required };
  if (JSON.stringify(form).length > maxFormLength) return decline("it is too large");
  const content: Record<string, Value> = Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  );
  if (Object.keys(content).length === 0) return decline("none of its fields has a default");
  if (!required.every((name) => Object.hasOwn(content, name)))
    return decline("a required field has no default");
  return fits(content, form)
    ? { action: "accept", content }
    : decline("its defaults do not fit its own schema");
}

const decline = (reason: string): FormAnswer => ({ action: "decline", reason });

function fits(content: Record<string, Value>, form: Record<string, unknown>): boolean {
  try {
    return new AjvJsonSchemaValidator().getValidator(form)(content).valid;
  } catch {
    // It cannot be compiled, e.g. because it offers a choice of nothing: no value fits it.
    return false;
  }
}
