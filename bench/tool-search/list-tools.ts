import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { servers, type BenchServer } from "./servers.ts";

/**
 * Starts each server, asks for its tools, and writes to tools.json what a search reads of them:
 * names, titles, descriptions, and the parameters at the top with their descriptions. Nothing else
 * of a server is called.
 */

/** UTF-16 units. */
const maxDescription = 1_024;
const maxParameterDescription = 200;

const folder = fileURLToPath(new URL(".", import.meta.url));

async function listOf(server: BenchServer) {
  const home = `${folder}node_modules/${server.package}/`;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [home + server.script, ...(server.args ?? [])],
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...server.env },
    stderr: "ignore",
  });
  const client = new Client({ name: "parley-bench", version: "1" });
  await client.connect(transport);
  const tools = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  await client.close();
  const manifest: unknown = JSON.parse(readFileSync(`${home}package.json`, "utf8"));
  const { version, license } = manifest as { version: string; license: string };
  return {
    name: server.name,
    package: server.package,
    version,
    license,
    tools: tools.map(({ name, title, description, inputSchema: { properties, required } }) => ({
      name,
      title,
      // An example's path must not look like this machine's.
      description: description
        ?.replaceAll("/Users/", "/srv/")
        .slice(0, maxDescription)
        .toWellFormed(),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(
          Object.entries(properties ?? {}).map(([key, schema]) => [key, shortened(schema)]),
        ),
        ...(required === undefined || required.length === 0 ? {} : { required }),
      },
    })),
  };
}

const shortened = (schema: unknown) => {
  const { type, description } = (schema ?? {}) as { type?: unknown; description?: unknown };
  return {
    type,
    description:
      typeof description === "string"
        ? description.slice(0, maxParameterDescription).toWellFormed()
        : undefined,
  };
};

/** One tool a line, so that a new version of a server makes a readable diff. */
const written = ({ tools, ...head }: Awaited<ReturnType<typeof listOf>>): string =>
  `${JSON.stringify(head).slice(0, -1)},"tools":[\n${tools.map((tool) => JSON.stringify(tool)).join(",\n")}\n]}`;

const lists = [];
for (const server of servers) {
  const list = await listOf(server);
  console.log(`${server.name}: ${list.tools.length} tools`);
  lists.push(written(list));
}
writeFileSync(`${folder}tools.json`, `[\n${lists.join(",\n")}\n]\n`);
