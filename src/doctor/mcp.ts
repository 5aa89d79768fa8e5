import { pino } from "pino";
import type { Settings } from "../config/settings.ts";
import { messageOf } from "../core/errors.ts";
import { ok, type Check } from "./check.ts";

const connectTimeoutMs = 8_000;

/** One check for each server: it is started, or connected to, and asked for its tools. */
export const mcpChecks = ({ mcpServers }: Pick<Settings, "mcpServers">): readonly Check[] =>
  Object.entries(mcpServers).map(([name, settings]) => ({
    id: `mcp.${name}`,
    what: ({ mcp }) => mcp(name),
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
        const [problem] = problems;
        if (problem === undefined) return [ok(`mcp.${name}`, ({ mcp }) => mcp.offers(name, tools))];
        return [
          {
            id: `mcp.${name}`,
            status: "warning",
            say: ({ findings: { mcp } }) => ({
              ...mcp.partly,
              what: mcp.partly.what(name, tools, problems.length, problem),
            }),
          },
        ];
      } catch (error) {
        return [
          {
            id: `mcp.${name}`,
            status: "broken",
            say({ findings: { mcp } }) {
              const { what, why, fixCommand, fixUrl } = mcp.failing;
              const fix =
                settings.transport === "stdio"
                  ? fixCommand(`mcp.servers.${name}`, settings.command)
                  : fixUrl(`mcp.servers.${name}.url`);
              return { what: what(name, messageOf(error)), why, fix };
            },
          },
        ];
      }
    },
  }));
