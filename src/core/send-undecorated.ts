import type { Chunk, Sender, SendOptions, SendOutcome } from "./ports.ts";
import type { ChatAddress } from "./chat.ts";
import type { Decoration } from "./refusal.ts";

/** Sends a text that is in no outbox, once more for each part of it that the platform refuses. */
export async function sendUndecorated(
  sender: Pick<Sender, "send">,
  address: ChatAddress,
  { chunk, options }: { readonly chunk: Chunk; readonly options: SendOptions },
): Promise<SendOutcome> {
  const without = new Set<Decoration>();
  for (;;) {
    const outcome = await sender.send(address, chunk, { ...options, without: new Set(without) });
    const about = outcome.type === "refused" ? outcome.about : undefined;
    if (about === undefined || without.has(about)) return outcome;
    without.add(about);
  }
}
