import { z } from "zod";
import type { Effect, Tool } from "../../src/core/tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

/** What tools did to the world outside: no crash of ours takes it back. */
export interface Effects {
  readonly runs: {
    readonly tool: string;
    readonly given: unknown;
    readonly key: string;
    readonly signal: AbortSignal;
  }[];
  /** A run of a tool with a gate does not end before its gate does. */
  readonly gates: Map<string, Promise<void>>;
}

const label = z.strictObject({ label: z.string().default("") });

/**
 * A tool of every effect (`look`, `set`, `send`, `pay`), one that asks (`buy`), and some that
 * misbehave.
 */
export function testTools(effects: Effects): readonly Tool[] {
  const noting = (
    name: string,
    effect: Effect,
    more: {
      confirm?: "always";
      result?: string;
      run?: (signal: AbortSignal) => Promise<string>;
      timeoutMs?: number;
      maxResultLength?: number;
    } = {},
  ): Tool => {
    const { confirm = "never", result, run, ...limits } = more;
    return defineTool({
      name,
      description: `The tool ${name}.`,
      parameters: label,
      effect,
      confirm,
      history: "action",
      ...limits,
      run: async (given, { idempotencyKey, signal }) => {
        effects.runs.push({ tool: name, given, key: idempotencyKey, signal });
        await effects.gates.get(name);
        if (run !== undefined) return { text: await run(signal) };
        return { text: result ?? `${name} ${given.label} done` };
      },
    });
  };
  const hang = new Promise<never>(() => undefined);
  return [
    noting("look", "read"),
    noting("set", "idempotent"),
    noting("send", "keyed"),
    noting("pay", "once"),
    noting("buy", "once", { confirm: "always" }),
    noting("ask_look", "read", { confirm: "always" }),
    noting("big", "read", { result: "x".repeat(1_000_000) }),
    noting("throws", "read", {
      run: () => Promise.reject(new Error("the disk of Ann's secret is full")),
    }),
    noting("hangs", "read", { run: () => hang, timeoutMs: 20 }),
    noting("hangs_once", "once", { run: () => hang, timeoutMs: 20 }),
    noting("heeds", "once", {
      run: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted as asked")));
        }),
    }),
  ];
}
