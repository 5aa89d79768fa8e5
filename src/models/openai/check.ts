import type { ModelFailure } from "../../core/model.ts";
import { modelName } from "../model-key.ts";
import { askThrough } from "./catalog.ts";
import { connect, type OpenAiSettings } from "./client.ts";
import { openAiFailure } from "./failure.ts";
import { listing } from "./listing.ts";

/**
 * Whether the server answers, takes the key and lists the model. `unlisted`: only a request can
 * show whether it has it, since some servers list nothing, or take other names as well.
 */
export async function checkOpenAiModel({
  settings,
  id,
}: {
  readonly settings: OpenAiSettings;
  readonly id: string;
}): Promise<ModelFailure | "unlisted" | undefined> {
  const { client, baseUrl, secrets } = connect(settings, undefined);
  const model = modelName(id);
  try {
    const listed = listing(await askThrough(client)(`${baseUrl}/models`));
    return listed.some((each) => each.id === model) ? undefined : "unlisted";
  } catch (error) {
    return openAiFailure(error, { secrets, nowMs: 0 });
  }
}
