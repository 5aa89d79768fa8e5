import { pino } from "pino";
import type { Settings } from "../config/settings.ts";
import { messageOf } from "../core/errors.ts";
import type { CheckedServer } from "../tools/mcp/check-server.ts";
import type { Locale } from "../locales/locale.ts";
import type { McpServerSettings } from "../tools/mcp/server-settings.ts";
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
      const { checkServer, UnusableServer } = await import("../tools/mcp/check-server.ts");
      const log = pino({ level: "silent" });
      const check = async () =>
        await checkServer(name, settings, { connectTimeoutMs, log, signal });
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
        const status = error instanceof UnusableServer ? error.httpStatus : undefined;
        return [
          {
            id: `mcp.${name}`,
            status: "broken",
            say({ findings: { mcp } }) {
              const { what, why } = mcp.failing;
              const fix = fixOf(mcp.failing, { name, settings, status });
              return { what: what(name, messageOf(error)), why, fix };
            },
          },
        ];
      }
    },
  }));

function fixOf(
  failing: Locale["findings"]["mcp"]["failing"],
  {
    name,
    settings,
    status,
  }: {
    readonly name: string;
    readonly settings: McpServerSettings;
    readonly status: number | undefined;
  },
): string {
  const setting = `mcp.servers.${name}`;
  if (settings.transport === "stdio") return failing.fixCommand(setting, settings.command);
  if (status === 401 || status === 403 || status === 407)
    return failing.fixHeaders(`${setting}.headers`);
  if (status === 429) return failing.fixBusy;
  if (status !== undefined && status >= 500) return failing.fixServer;
  return failing.fixUrl(`${setting}.url`);
}
