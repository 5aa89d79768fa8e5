import type { Api } from "grammy";
import type { CommandSpec } from "../../core/ports.ts";
import { requestSignal } from "./send/request-signal.ts";

/** The menu that everybody sees, brought up to date when it is not. Fulfils with whether it had to be. */
export async function registerCommands(
  api: Pick<Api, "getMyCommands" | "setMyCommands">,
  specs: readonly CommandSpec[],
  signal: AbortSignal,
): Promise<boolean> {
  const wanted = specs
    .filter((spec) => spec.adminOnly !== true)
    .map(({ name, description }) => ({ command: name, description }));
  const current = await api.getMyCommands({}, requestSignal(signal));
  const isSame =
    current.length === wanted.length &&
    wanted.every(
      ({ command, description }, index) =>
        current[index]?.command === command &&
        current[index].description === description,
    );
  if (!isSame) await api.setMyCommands(wanted, {}, requestSignal(signal));
  return !isSame;
}
