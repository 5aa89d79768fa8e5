import { randomUUID } from "node:crypto";
import { notifyOwners } from "../access/notify-admins.ts";
import { messageOf } from "../core/errors.ts";
import type { CheckedModel } from "../models/check-model.ts";
import { createModels } from "../models/create-models.ts";
import { isNewProblem } from "../store/operations/reported-problem.ts";
import type { Services } from "../services.ts";

/** Of one model. Milliseconds. */
const limitMs = 30_000;

type Deps = Pick<
  Services,
  "settings" | "store" | "access" | "people" | "connectedBots" | "post" | "redact" | "log"
>;

/**
 * Asks each model once, in the background, whether it can be used. What can't is in the log and on
 * the screen, and owners get it in their private chat: once for each change of the cause, however
 * often Parley starts. Disposing ends it.
 */
export function startModelCheck(deps: Deps, say: (line: string) => void): AsyncDisposable {
  const ending = new AbortController();
  const checking = checkModels(deps, say, ending.signal).catch((error: unknown) =>
    deps.log.debug({ error: messageOf(error) }, "the models could not be checked"),
  );
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await checking;
    },
  };
}

async function checkModels(
  deps: Deps,
  say: (line: string) => void,
  ending: AbortSignal,
): Promise<void> {
  const { settings, store, log, redact } = deps;
  const { keys } = createModels(settings.models);
  // Loads the vendors' clients, which are loaded for turns anyway.
  const { checkModel } = await import("../models/check-model.ts");
  const checked = await Promise.all(
    keys.map((id) =>
      checkModel(id, settings.models, AbortSignal.any([ending, AbortSignal.timeout(limitMs)])),
    ),
  );
  if (ending.aborted) return;
  const problems = checked.flatMap(({ card, problem }) =>
    problem === undefined ? [] : [{ card, ...problem, what: redact(problem.what) }],
  );
  for (const { card, what, fix } of problems) {
    log.warn({ model: card.id, fix }, what);
    say(`${what} ${fix}`);
  }
  // Which model and what kind of failure: its words may differ each time.
  const cause = problems.map(({ card, failure }) => `${card.id} ${failure.kind}`).join("\n");
  if (await isNewProblem(store, cause))
    await notify(deps, problems, { areAll: problems.length === keys.length });
}

async function notify(
  deps: Deps,
  problems: readonly NonNullable<CheckedModel["problem"]>[],
  { areAll }: { readonly areAll: boolean },
): Promise<void> {
  const id = `model-check-${randomUUID()}`;
  const what = problems.map((each) => each.what).join("\n");
  const fix = [...new Set(problems.map((each) => each.fix))].join("\n");
  await notifyOwners(deps, ({ doctor }) => ({
    v: 1,
    id,
    kind: "notice",
    text: areAll ? doctor.modelFails(what, fix) : doctor.oneModelFails(what, fix),
  }));
}
