import { pino } from "pino";
import type { Settings } from "../config/settings.ts";
import { messageOf } from "../core/errors.ts";
import type { CheckedServer } from "../tools/mcp/check-server.ts";
import { ok, type Check } from "./check.ts";

const connectTimeoutMs = 8_000;

/**
 * One check for each server: it is asked for its tools.
 * @param examineServer asks it where it runs; absent: it is started, or connected to.
 */
export const mcpChecks = (
  { mcpServers }: Pick<Settings, "mcpServers">,
  examineServer?: (name: string) => Promise<CheckedServer>,
): readonly Check[] =>
  Object.entries(mcpServers).map(([name, settings]) => ({
    id: `mcp.${name}`,
    what: ({ mcp }) => mcp(name),
    withinMs: 2 * connectTimeoutMs + 4_000,
    async run(signal) {
      const check = async () => {
        const { checkServer } = await import("../tools/mcp/check-server.ts");
        const log = pino({ level: "silent" });
        return await checkServer(name, settings, { connectTimeoutMs, log, signal });
      };
      try {
        const { tools, problems } = await (examineServer?.(name) ?? check());
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
