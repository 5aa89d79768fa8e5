/** One MCP server, as `mcp.servers.<name>` in `parley.yaml` describes it. */
export type McpServerSettings = {
  /** Milliseconds that one call may take without a sign of life. */
  readonly timeoutMs: number;
  /** Whether the server's own annotations count. */
  readonly trusted: boolean;
  /** How a server's form is handled: not offered, or answered with its own defaults. */
  readonly elicitation: "off" | "defaults";
} & (StdioSettings | HttpSettings);

export interface StdioSettings {
  readonly transport: "stdio";
  readonly command: string;
  readonly arguments: readonly string[];
  /** Added to a minimal environment. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Who the program runs as; absent: the same user as Parley, whose files and environment it can
   * read.
   */
  readonly user?: ProgramUser;
}

interface ProgramUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

export interface HttpSettings {
  readonly transport: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}
