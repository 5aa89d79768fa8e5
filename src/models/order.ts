import type { Model, ModelRequest } from "../core/model.ts";
import { untilAborted } from "../util/abort.ts";

/**
 * The models that a request asks, first choice first: those that see come before those that do not
 * when there is something to see. Models to avoid are left out while there is another.
 */
export async function orderFor(
  models: readonly Model[],
  request: ModelRequest,
  { avoid, signal }: { readonly avoid: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<readonly Model[]> {
  const wanted = models.filter(({ card }) => !avoid.has(card.id));
  const asked = wanted.length > 0 ? wanted : models;
  if (asked.length === 1 || !hasImages(request)) return asked;
  // A model on the operator's own server is presumed to have no vision.
  await untilAborted(learnCards(asked), signal);
  return [...asked.filter(({ card }) => card.vision), ...asked.filter(({ card }) => !card.vision)];
}

/** Asks the servers of all these what the cards presume. Never rejects. */
export async function learnCards(models: readonly Model[]): Promise<void> {
  await Promise.all(models.map(async (model) => model.learnCard?.()));
}

const hasImages = ({ messages }: ModelRequest): boolean =>
  messages.some((message) => message.role === "user" && (message.images?.length ?? 0) > 0);
