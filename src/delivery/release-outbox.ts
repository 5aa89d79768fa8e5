import type { DeliverySession } from "../store/turns/receipt.ts";
import type { DeliveryDeps, DeliveryResult } from "./deps.ts";

/** Gives the outbox back as it is. */
export async function releaseOutbox(
  deps: DeliveryDeps,
  session: DeliverySession,
): Promise<DeliveryResult> {
  const written = await deps.outbox.write(session, {
    id: "",
    fields: {},
    release: {},
  });
  return { type: written?.hasMore ? "again" : "done" };
}
