import { tmpdir } from "node:os";

/** A public MCP server of this folder's package.json, and what it needs to list its tools. */
export interface BenchServer {
  /** As `mcp.servers` would name it. */
  readonly name: string;
  readonly package: string;
  /** Below the package's folder. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Values that are only checked for being there: nothing is called but `tools/list`. */
  readonly env?: Readonly<Record<string, string>>;
}

export const servers: readonly BenchServer[] = [
  {
    name: "files",
    package: "@modelcontextprotocol/server-filesystem",
    script: "dist/index.js",
    args: [tmpdir()],
  },
  { name: "memory", package: "@modelcontextprotocol/server-memory", script: "dist/index.js" },
  { name: "github", package: "@modelcontextprotocol/server-github", script: "dist/index.js" },
  {
    name: "slack",
    package: "@modelcontextprotocol/server-slack",
    script: "dist/index.js",
    env: { SLACK_BOT_TOKEN: "none", SLACK_TEAM_ID: "none" },
  },
  { name: "browser", package: "@playwright/mcp", script: "cli.js", args: ["--headless"] },
  { name: "kubernetes", package: "mcp-server-kubernetes", script: "dist/index.js" },
  {
    name: "notion",
    package: "@notionhq/notion-mcp-server",
    script: "bin/cli.mjs",
    env: { NOTION_TOKEN: "none" },
  },
  {
    name: "trello",
    package: "@delorenj/mcp-server-trello",
    script: "build/index.js",
    env: { TRELLO_API_KEY: "none", TRELLO_TOKEN: "none" },
  },
  {
    name: "gitlab",
    package: "@zereight/mcp-gitlab",
    script: "build/index.js",
    env: {
      GITLAB_PERSONAL_ACCESS_TOKEN: "none",
      USE_GITLAB_WIKI: "true",
      USE_MILESTONE: "true",
      USE_PIPELINE: "true",
    },
  },
  { name: "office", package: "@softeria/ms-365-mcp-server", script: "dist/index.js" },
];
