import type { ModelCard, ModelObserver, ModelRequest, Omission } from "../core/model.ts";
import { withVisibleImages } from "./images.ts";

/**
 * The request without parts that the model can't take: images without vision, tools without tool
 * calls. Pure.
 */
export function fitRequest(
  request: ModelRequest,
  card: ModelCard,
): { readonly request: ModelRequest; readonly omissions: readonly Omission[] } {
  const { messages, hidden } = withVisibleImages(request.messages, card);
  const dropped = card.tools ? 0 : request.tools.length;
  const omissions: Omission[] = [];
  if (hidden > 0) omissions.push({ what: "images", count: hidden });
  if (dropped > 0) omissions.push({ what: "tools", count: dropped });
  return {
    request: { ...request, messages, ...(dropped > 0 ? { tools: [] } : {}) },
    omissions,
  };
}

/** The same; reports the omissions to the observer. */
export function fittedRequest(
  request: ModelRequest,
  card: ModelCard,
  observer: ModelObserver,
): ModelRequest {
  const { request: fitted, omissions } = fitRequest(request, card);
  for (const omission of omissions) observer.onOmitted?.(card, omission);
  return fitted;
}
