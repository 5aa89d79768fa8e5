import { randomUUID } from "node:crypto";
import { messageOf } from "../core/errors.ts";
import type { Budget, Took } from "../core/limits.ts";
import type { PayForTexts } from "../core/memory.ts";

/** Roughly four bytes a token: servers don't all say how many a request had. */
const bytesPerToken = 4;

const nothing: Took = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Texts of which vectors are made count as input tokens of the person who wrote or asked. */
export function createTextPayment({
  budget,
  model,
  usdPerMillionTokens,
  report,
}: {
  readonly budget: Pick<Budget, "isLimited" | "reserve" | "settle">;
  /** `provider/model`. */
  readonly model: string;
  /** Of its input; undefined: unknown. */
  readonly usdPerMillionTokens: number | undefined;
  readonly report: (message: string) => void;
}): PayForTexts {
  const tookOf = (texts: readonly string[]): Took => {
    const inputTokens = Math.ceil(Buffer.byteLength(texts.join("\n")) / bytesPerToken);
    const costUsd = ((usdPerMillionTokens ?? 0) * inputTokens) / 1_000_000;
    const price = usdPerMillionTokens === undefined ? {} : { costUsd };
    const spending = { requests: 1, inputTokens, outputTokens: 0, ...price, estimated: true };
    return { inputTokens, outputTokens: 0, costUsd, models: { [model]: spending } };
  };
  return async (spender, texts) => {
    const id = `${spender.chat}/memory.${randomUUID()}`;
    const took = tookOf(texts);
    if (await budget.isLimited(spender)) {
      const { type } = await budget.reserve(spender, id, took);
      if (type === "refused") return undefined;
    }
    return async (isMade) => {
      try {
        await budget.settle(spender, id, isMade ? took : nothing);
      } catch (error) {
        report(`what they took could not be settled, and stays reserved: ${messageOf(error)}`);
      }
    };
  };
}
