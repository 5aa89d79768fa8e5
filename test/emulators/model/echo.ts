import type { ModelRequest } from "./model-request.ts";
import type { Step } from "./step.ts";

/** Tool results are quoted, anything else is echoed. */
export function echoStep(request: ModelRequest): Step {
  return {
    text:
      request.lastRole === "tool"
        ? request.toolResults.map(({ name, text }) => `${name} said: ${text}`).join("\n")
        : `You said: ${request.lastUserText}`,
  };
}
