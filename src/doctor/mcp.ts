import { pino } from "pino";
import type { Settings } from "../config/settings.ts";
import { messageOf } from "../core/errors.ts";
import { ok, type Check } from "./check.ts";

const connectTimeoutMs = 8_000;

const countOf = (tools: number): string => (tools === 1 ? "1 tool" : `${tools} tools`);

/** One check for each server: it is started, or connected to, and asked for its tools. */
export const mcpChecks = ({ mcpServers }: Pick<Settings, "mcpServers">): readonly Check[] =>
  Object.entries(mcpServers).map(([name, settings]) => ({
    id: `mcp.${name}`,
    what: `The MCP server "${name}"`,
    withinMs: 2 * connectTimeoutMs + 4_000,
    async run(signal) {
      const { checkServer } = await import("../tools/mcp/check-server.ts");
      const log = pino({ level: "silent" });
      try {
        const { tools, problems } = await checkServer(name, settings, {
          connectTimeoutMs,
          log,
          signal,
        });
        if (problems.length === 0)
          return [ok(`mcp.${name}`, `The MCP server "${name}" offers ${countOf(tools)}.`)];
        return [
          {
            id: `mcp.${name}`,
            status: "warning",
            what: `The MCP server "${name}" offers ${countOf(tools)}; ${problems.length} more can't be used: ${problems[0]}`,
            why: "The model doesn't see those.",
            fix: "Correct or update the server.",
          },
        ];
      } catch (error) {
        return [
          {
            id: `mcp.${name}`,
            status: "broken",
            what: `The MCP server "${name}" can't be used: ${messageOf(error)}`,
            why: "The model has none of its tools.",
            fix:
              settings.transport === "stdio"
                ? `Run its command by hand, and correct mcp.servers.${name} in parley.yaml: ${settings.command}`
                : `Start it, or correct mcp.servers.${name}.url in parley.yaml.`,
          },
        ];
      }
    },
  }));
