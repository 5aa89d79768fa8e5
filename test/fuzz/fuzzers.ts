import type { Fuzzer } from "./fuzzer.ts";

/** Every boundary at which outside input comes in, by name; each is loaded when it is run. */
export const fuzzers: Readonly<Record<string, () => Promise<Fuzzer>>> = {
  telegram: async () => (await import("./telegram-fuzzer.ts")).telegramFuzzer(),
  discord: async () => (await import("./discord-fuzzer.ts")).discordFuzzer(),
  commands: async () => (await import("./command-fuzzer.ts")).commandFuzzer(),
  config: async () => (await import("./config-fuzzer.ts")).configFuzzer(),
  streams: async () => (await import("./stream-fuzzer.ts")).streamFuzzer(),
  stored: async () => (await import("./stored-fuzzer.ts")).storedFuzzer(),
  mcp: async () => (await import("./mcp-fuzzer.ts")).mcpFuzzer(),
};

/** Those whose inputs take seconds each: run by name only, with fewer inputs. */
export const slowFuzzers: typeof fuzzers = {
  files: async () => (await import("./files-fuzzer.ts")).filesFuzzer(),
};
