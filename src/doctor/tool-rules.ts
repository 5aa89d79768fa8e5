import type { Settings } from "../config/settings.ts";
import type { OfferedTool } from "../core/tool.ts";
import { wildcards } from "../text/wildcards.ts";
import type { Check, Examined } from "./check.ts";

/**
 * Rules by which calls may run unasked that can't be repeated, or any calls.
 * @param tools as workers offered them last.
 */
export const toolRulesCheck = (
  { toolRules }: Pick<Settings, "toolRules">,
  tools: () => Promise<readonly OfferedTool[]>,
): Check => ({
  id: "tools",
  what: (checks) => checks.tools,
  async run() {
    const autos = toolRules.filter((rule) => rule.verdict === "allow" && rule.autoMs);
    if (autos.length === 0) return [];
    const once = (await tools()).filter(
      ({ effect, asks }) => effect === "once" && asks !== "never",
    );
    return autos.flatMap(({ match }): Examined[] => {
      const isWide = /^\*+$/.test(match);
      const names = once.map(({ name }) => name).filter(wildcards(match));
      if (!isWide && names.length === 0) return [];
      return [
        {
          id: "tools.auto",
          status: "note",
          say({ findings: { tools: said } }) {
            const { what, why, fix } = said.auto;
            return { what: what(match, isWide ? said.every : names.join(", ")), why, fix };
          },
        },
      ];
    });
  },
});
