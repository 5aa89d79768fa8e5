import { randomUUID } from "node:crypto";
import { notifyOwners } from "../access/notify-admins.ts";
import { messageOf } from "../core/errors.ts";
import type { ModelProblem } from "../core/model.ts";
import { localeFor } from "../locales/locale-for.ts";
import { modelProblemText } from "../locales/model-problem.ts";
import { createModels } from "../models/create-models.ts";
import { outageName } from "../core/outage.ts";
import { createOutages } from "../store/operations/outages.ts";
import { isNewProblem } from "../store/operations/reported-problem.ts";
import { createVision } from "../store/operations/vision.ts";
import type { Services } from "../services.ts";

/** Of one model. Milliseconds. */
const limitMs = 30_000;

type Deps = Pick<
  Services,
  "settings" | "store" | "access" | "people" | "connectedBots" | "post" | "redact" | "log"
>;

/**
 * Asks each model once, in the background, whether it can be used and sees pictures. What can't is in the log and on
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
  // Of a model that doesn't answer, nothing is known.
  await createVision(store).write(
    checked.some(({ card, problem }) => card.vision || problem !== undefined),
  );
  const problems = checked.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  for (const problem of problems) {
    const { what, fix } = modelProblemText(problem, localeFor());
    log.warn({ model: problem.id, fix }, redact(what));
    say(`${redact(what)} ${fix}`);
  }
  // Which model and what kind of failure: its words may differ each time.
  const cause = problems.map(({ id, failure }) => `${id} ${failure.kind}`).join("\n");
  if (!(await isNewProblem(store, cause))) return;
  const outages = createOutages(store);
  const named = problems.flatMap(({ id: model, failure: { kind } }) => {
    const name = outageName(model, kind);
    return name === undefined ? [] : [{ name, model, kind }];
  });
  const open = await Promise.all(
    named.map(({ name, ...failed }) => outages.note(name, { ...failed, unanswered: 0 })),
  );
  // People may have met it before this start.
  if (open.length === problems.length && open.every(({ isTold }) => isTold)) return;
  const posted = await notify(deps, problems, { areAll: problems.length === keys.length });
  if (posted > 0) await Promise.all(open.map((outage) => outages.markTold(outage)));
}

async function notify(
  deps: Deps,
  problems: readonly ModelProblem[],
  { areAll }: { readonly areAll: boolean },
): Promise<number> {
  const id = `model-check-${randomUUID()}`;
  return await notifyOwners(deps, (locale) => {
    const { modelFails, oneModelFails } = locale.doctor;
    const texts = problems.map((problem) => modelProblemText(problem, locale));
    const what = deps.redact(texts.map((each) => each.what).join("\n"));
    const fix = [...new Set(texts.map((each) => each.fix))].join("\n");
    const text = areAll ? modelFails(what, fix) : oneModelFails(what, fix);
    return { v: 1, id, kind: "notice", text };
  });
}
