import type { CommandSpec } from "../../../core/ports.ts";

/** The bot's commands by every name that people may type. */
export type Commands = ReadonlyMap<string, CommandSpec>;

export const byName = (specs: readonly CommandSpec[]): Commands =>
  new Map(
    specs.flatMap((spec) =>
      [spec.name, ...(spec.aliases ?? [])].map((name) => [name, spec] as const),
    ),
  );
