import type { Model, ModelOptions } from "../core/model.ts";

/** The same model, asked with these options wherever a request does not say otherwise. */
export function withDefaultOptions(model: Model, options: ModelOptions): Model {
  return {
    get card() {
      return model.card;
    },
    learnCard: async () => model.learnCard?.(),
    stream: (request, signal, observer) =>
      model.stream({ ...request, options: { ...options, ...request.options } }, signal, observer),
  };
}
