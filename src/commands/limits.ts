import { limitMetrics } from "../core/limits.ts";
import { changeLimits } from "./change-limits.ts";
import { answer, typed, type Command } from "./command.ts";
import { requestOf } from "./limit-request.ts";
import { showLimits } from "./show-limits.ts";
import { described, required } from "./menu.ts";

const scopeArgument = required("scope", ({ limits }) => limits.scope);
const metricArgument = {
  ...described("metric", ({ limits }) => limits.metric),
  choices: Object.keys(limitMetrics),
};

/** `/limits`, `/limits set <scope> <metric> <value>`, `/limits reset <scope> [metric]`. */
export const limitsCommand: Command = {
  spec: {
    ...described("limits", ({ limits }) => limits.description),
    adminForms: [
      {
        ...described("limits-set", ({ limits }) => limits.set),
        action: "set",
        arguments: [
          scopeArgument,
          { ...metricArgument, required: true },
          required("value", ({ limits }) => limits.value),
        ],
      },
      {
        ...described("limits-reset", ({ limits }) => limits.reset),
        action: "reset",
        arguments: [scopeArgument, { ...metricArgument, required: false }],
      },
    ],
  },
  role: "guest",
  isPrivate: true,
  async run(call, deps) {
    const request = requestOf(call);
    switch (request.action) {
      case "":
        return await showLimits(call, deps);
      case "set":
      case "reset":
        return await changeLimits(call, deps, request);
      default:
        return answer(call.locale.limits.badAction(typed(request.action)));
    }
  },
};
