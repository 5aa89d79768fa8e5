import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { load } from "../../config/support.ts";
import { importHome } from "./homes.ts";

interface OpenClaw {
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly providers?: Readonly<Record<string, unknown>>;
  readonly model?: unknown;
  readonly env?: string;
  /** What Parley has already. */
  readonly here?: Readonly<Record<string, string>>;
}

async function openClaw({ servers = {}, providers = {}, model, env = "", here = {} }: OpenClaw) {
  const config = { agents: { defaults: { model } }, models: { providers }, mcp: { servers } };
  const files = { "openclaw.json": JSON.stringify(config), ".env": env };
  const imported = await importHome("openclaw", files, here);
  const { yaml, secrets } = imported;
  return {
    ...imported,
    content: parse(yaml) as unknown,
    settings: load({ yaml, environment: { ...here, ...secrets } }),
  };
}

describe("a variable that an MCP server refers to", () => {
  it.each([
    "REDIS_URL",
    "OPENAI_BASE_URL",
    "OPENAI_MODEL",
    "DISCORD_TOKEN",
    "TELEGRAM_BOT_TOKEN",
    "PARLEY_ADMIN",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "GOOGLE_API_KEY",
    "TAVILY_API_KEY",
  ])("never configures Parley: %s is copied under another name", async (name) => {
    const { secrets, settings, left } = await openClaw({
      servers: {
        "my files": { command: "files", args: [`--at=\${${name}}`], env: { MODE: "ro" } },
      },
      env: `${name}=of-the-server\n`,
    });
    expect(secrets).toEqual({ [`MCP_MY_FILES_${name}`]: "of-the-server" });
    expect(settings.mcpServers).toMatchObject({ my_files: { arguments: ["--at=of-the-server"] } });
    expect(left.filter((line) => line.startsWith("mcp."))).toEqual([]);
  });

  it("isn't read from Parley's own where it isn't set, and is named", async () => {
    const { content, secrets, left } = await openClaw({
      servers: { files: { command: "files", env: { AT: "${REDIS_URL}" } } },
    });
    expect(content).toMatchObject({
      mcp: { servers: { files: { env: { AT: "${MCP_FILES_REDIS_URL}" } } } },
    });
    expect(secrets).toEqual({});
    expect(left).toEqual([
      "mcp.servers.files.env: REDIS_URL isn't set there; set MCP_FILES_REDIS_URL in .env",
    ]);
  });

  it("is never another one's secret of the same name", async () => {
    const { secrets, settings } = await openClaw({
      providers: { lab: { baseUrl: "http://10.0.0.7/v1", apiKey: "of-the-model" } },
      model: "lab/big",
      servers: {
        lab: { command: "lab", env: { KEY: "${LAB_API_KEY}" } },
        "a-b": { command: "one", env: { C_KEY: "of-one" } },
        a: { command: "two", env: { B_C_KEY: "of-two" } },
      },
      env: "LAB_API_KEY=of-the-server\n",
    });
    expect(secrets).toEqual({
      LAB_API_KEY: "of-the-model",
      MCP_LAB_LAB_API_KEY: "of-the-server",
      MCP_A_B_C_KEY: "of-one",
      MCP_A_B_C_KEY_2: "of-two",
    });
    expect(settings.mcpServers).toMatchObject({
      lab: { environment: { KEY: "of-the-server" } },
      "a-b": { environment: { C_KEY: "of-one" } },
      a: { environment: { B_C_KEY: "of-two" } },
    });
  });

  it("replaces none that Parley has, and keeps what is the same or isn't set there", async () => {
    const env = { ONE: "${LAB_TOKEN}", TWO: "${SAME}", THREE: "${HOME}" };
    const { secrets, settings, left } = await openClaw({
      servers: { files: { command: "files", env } },
      env: "LAB_TOKEN=of-the-server\nSAME=1\n",
      here: { LAB_TOKEN: "of-another", SAME: "1", HOME: "/home/ann" },
    });
    expect(secrets).toEqual({ MCP_FILES_LAB_TOKEN: "of-the-server", SAME: "1" });
    expect(settings.mcpServers).toMatchObject({
      files: { environment: { ONE: "of-the-server", TWO: "1", THREE: "/home/ann" } },
    });
    expect(left).toEqual([]);
  });

  it("keeps its name where that is free, also for two servers", async () => {
    const entry = { command: "files", env: { TOKEN: "${LAB_TOKEN}", AT: "$${REDIS_URL}" } };
    const { content, secrets } = await openClaw({
      servers: { one: entry, two: entry },
      env: "LAB_TOKEN=planted\n",
    });
    const { command, env } = entry;
    expect(content).toEqual({
      mcp: {
        servers: {
          one: { command, env: { ...env, AT: "$${REDIS_URL}" } },
          two: { command, env: { ...env, AT: "$${REDIS_URL}" } },
        },
      },
    });
    expect(secrets).toEqual({ LAB_TOKEN: "planted" });
  });
});

describe("an MCP server's secret with references in it", () => {
  it("has their values in .env", async () => {
    const { secrets, settings, left } = await openClaw({
      servers: {
        db: { command: "db", env: { DATABASE: "postgres://ann:${PW}@db/${DB}" } },
        remote: {
          url: "https://mcp.example.com/mcp",
          headers: { Authorization: "Token ${X}", Accept: "text/${KIND}" },
        },
      },
      env: "PW=planted-pw\nDB=main\nX=planted-x\nKIND=plain\n",
    });
    expect(secrets).toEqual({
      MCP_DB_DATABASE: "postgres://ann:planted-pw@db/main",
      MCP_REMOTE_AUTHORIZATION: "Token planted-x",
      KIND: "plain",
    });
    expect(settings.mcpServers).toMatchObject({
      db: { environment: { DATABASE: "postgres://ann:planted-pw@db/main" } },
      remote: { headers: { Authorization: "Token planted-x", Accept: "text/plain" } },
    });
    expect(left).toEqual([]);
  });

  it("is left, and named, where one isn't set", async () => {
    const { secrets, settings, left } = await openClaw({
      servers: {
        remote: {
          url: "https://mcp.example.com/mcp",
          headers: { Authorization: "Token ${X}${Y}", Accept: "text/plain" },
        },
      },
      env: "X=planted-x\n",
    });
    expect(secrets).toEqual({});
    expect(settings.mcpServers).toMatchObject({ remote: { headers: { Accept: "text/plain" } } });
    expect(left).toEqual([
      "mcp.servers.remote.headers.Authorization: Y isn't set there; set MCP_REMOTE_AUTHORIZATION in .env",
    ]);
  });

  it("uses Hermes' variables, so that they aren't named as left", async () => {
    const { secrets, left } = await importHome("hermes", {
      "config.yaml": `mcp_servers:
  remote: { url: "https://mcp.example.com/mcp", headers: { Authorization: "Token \${X}" } }
`,
      ".env": "X=planted-x\nOTHER=1\n",
    });
    expect(secrets).toEqual({ MCP_REMOTE_AUTHORIZATION: "Token planted-x" });
    expect(left).toEqual([".env: OTHER: Parley doesn't use it"]);
  });
});

it("leaves an MCP server whose name another one has in parley.yaml", async () => {
  const { content, secrets, left } = await openClaw({
    servers: {
      "my lab": { url: "https://one.example.com/mcp", headers: { Authorization: "of-one" } },
      my_lab: { url: "https://two.example.com/mcp" },
    },
  });
  expect(content).toMatchObject({
    mcp: { servers: { my_lab: { url: "https://one.example.com/mcp" } } },
  });
  expect(secrets).toEqual({ MCP_MY_LAB_AUTHORIZATION: "of-one" });
  expect(left).toEqual([
    "mcp.servers.my_lab: another server is called my_lab in parley.yaml already",
  ]);
});

const secret = (source: string) => ({ source, provider: "default", id: "somewhere" });
const elsewhere =
  "its value comes from a file or a program there; put it where Parley needs it by hand";
const stray = "it has a ${…} that Parley can't read: neither ${NAME} nor ${NAME:-default}";
const badName = "a variable of Parley's can't be called my-var.name";

describe("what parley.yaml writes in another way", () => {
  it("is written so that Parley starts", async () => {
    const { content, settings, secrets, left } = await openClaw({
      servers: {
        files: {
          command: "files",
          args: [
            "--root=${ROOT:-/srv}",
            "--mode=${MODE:-ro}",
            "--at=${URL:-http://${HOST:-localhost}/${MODE}}",
            "--as=$5 $${1}",
          ],
          env: {
            GITHUB_TOKEN: { source: "env", provider: "default", id: "GH" },
            OTHER_TOKEN: { source: "exec", provider: "vault", id: "other" },
          },
        },
      },
      env: "MODE=rw\nGH=planted-token-of-github\n",
    });
    expect(content).toMatchObject({
      mcp: { servers: { files: { env: { GITHUB_TOKEN: "${GH}" } } } },
    });
    expect(settings.mcpServers).toMatchObject({
      files: {
        arguments: ["--root=/srv", "--mode=rw", "--at=http://localhost/rw", "--as=$5 ${1}"],
        environment: { GITHUB_TOKEN: "planted-token-of-github" },
      },
    });
    expect(secrets).toEqual({ MODE: "rw", GH: "planted-token-of-github" });
    expect(left).toEqual([
      "mcp.servers.files.env.OTHER_TOKEN: its value comes from a file or a program there; put it where Parley needs it by hand",
    ]);
  });

  it.each([
    ["${PORT:?must be set}", stray],
    ["${DEBUG:+--debug}", stray],
    ["--as=${not a name}", stray],
    [secret("exec"), elsewhere],
    [{ source: "env", provider: "default", id: "my-var.name" }, badName],
    [{ source: "elsewhere" }, "one of its arguments isn't a text"],
    [null, "one of its arguments isn't a text"],
  ])("is left with its server where it is an argument: %j", async (argument, why) => {
    const { content, secrets, left } = await openClaw({
      servers: {
        files: { command: "files", args: ["--port", argument, "/srv"], env: { A_TOKEN: "${GH}" } },
      },
      env: "GH=planted\n",
    });
    expect(content).toBeNull();
    expect(secrets).toEqual({});
    expect(left).toEqual([`mcp.servers.files: ${why}`]);
  });

  it("is no secret where only its keys look like one", async () => {
    const { content, left } = await openClaw({
      servers: {
        feed: { command: "feed", env: { source: "http://feed" } },
        shop: { command: "shop", env: { source: "prod", id: "5" } },
        one: { command: "one", env: { source: "env", id: "HOME" } },
        two: {
          command: "two",
          env: { MODE: "ro", NAME: { source: "env", id: "my-var.name" }, NONE: null },
        },
      },
    });
    expect(content).toMatchObject({
      mcp: {
        servers: {
          feed: { env: { source: "http://feed" } },
          shop: { env: { source: "prod", id: "5" } },
          one: { env: { source: "env", id: "HOME" } },
          two: { env: { MODE: "ro" } },
        },
      },
    });
    expect(left).toEqual([
      `mcp.servers.two.env.NAME: ${badName}`,
      "mcp.servers.two.env.NONE: it isn't a text",
    ]);
  });

  it("has its value in tokens and keys, or is left", async () => {
    const { secrets, left } = await importHome("openclaw", {
      "openclaw.json": JSON.stringify({
        agents: { defaults: { model: "lab/big" } },
        models: {
          providers: { lab: { baseUrl: "http://10.0.0.7:8000/v1", apiKey: "${A:-k-${B}}$${C}" } },
        },
        channels: {
          telegram: { botToken: "${SET:-planted-default}" },
          discord: { token: "${UNSET:?must be set}" },
        },
      }),
      ".env": "SET=planted-set\nB=planted-$${b\n",
    });
    expect(secrets).toEqual({
      LAB_API_KEY: "k-planted-$${b${C}",
      TELEGRAM_BOT_TOKEN: "planted-set",
    });
    expect(left).toEqual([`channels.discord.token: ${stray}`]);
  });

  it("has its value in Hermes' keys, too, or is left", async () => {
    const { secrets, left } = await importHome("hermes", {
      "config.yaml": `model: { default: big, base_url: "http://10.0.0.7/v1", api_key: "\${A:-planted}" }
fallback_model: { model: small, base_url: "http://10.0.0.8/v1", api_key: "\${B:+planted}" }
`,
    });
    expect(Object.values(secrets)).toEqual(["planted"]);
    expect(left).toContain(`the key of small: ${stray}`);
  });

  it("is said of tokens and keys, too, and where a variable isn't set", async () => {
    const { secrets, left } = await importHome("openclaw", {
      "openclaw.json": JSON.stringify({
        agents: { defaults: { model: "lab/big" } },
        models: {
          providers: { lab: { baseUrl: "http://10.0.0.7:8000/v1", apiKey: secret("file") } },
        },
        channels: { telegram: { botToken: secret("exec") }, discord: { token: "${UNSET}" } },
      }),
    });
    expect(secrets).toEqual({});
    expect(left).toEqual([
      `models.providers.lab.apiKey: ${elsewhere}`,
      `channels.telegram.botToken: ${elsewhere}`,
      "channels.discord.token: UNSET isn't set there",
    ]);
  });
});

describe("OpenClaw's model servers", () => {
  it("have their own keys only, and those of unused ones stay there", async () => {
    const { content, secrets, left } = await openClaw({
      providers: {
        "my lab": { baseUrl: "http://10.0.0.5/v1", apiKey: "k6" },
        "my-lab": { baseUrl: "http://10.0.0.6/v1", apiKey: "k7" },
      },
      model: "my lab/one",
    });
    expect(secrets).toEqual({ MY_LAB_API_KEY: "k6" });
    expect(content).toMatchObject({
      providers: { my_lab: { baseUrl: "http://10.0.0.5/v1", apiKey: "${MY_LAB_API_KEY}" } },
    });
    expect(left).toEqual(["models.providers.my-lab: no model of it is the default or a fallback"]);
  });

  it("that are called like one that Parley knows aren't sent its key", async () => {
    const { content, secrets } = await openClaw({
      providers: { OpenAI: { baseUrl: "http://10.0.0.7/v1" } },
      model: "OpenAI/own",
      env: "OPENAI_API_KEY=real\n",
    });
    expect(secrets).toEqual({ OPENAI_API_KEY: "real" });
    expect(content).toEqual({
      providers: { "custom-10.0.0.7": { type: "openai", baseUrl: "http://10.0.0.7/v1" } },
      tiers: { balanced: { models: ["custom-10.0.0.7/own"] } },
    });
  });

  it("that are called like one that Parley knows don't replace its key", async () => {
    const { content, secrets } = await openClaw({
      providers: { OpenAI: { baseUrl: "http://10.0.0.7/v1", apiKey: "k5" } },
      model: { primary: "openai/gpt-5", fallbacks: ["OpenAI/own"] },
      env: "OPENAI_API_KEY=real\n",
    });
    expect(secrets).toEqual({ OPENAI_API_KEY: "real", CUSTOM_10_0_0_7_API_KEY: "k5" });
    expect(content).toMatchObject({
      providers: {
        openai: { baseUrl: "https://api.openai.com/v1", apiKey: "${OPENAI_API_KEY}" },
        "custom-10.0.0.7": { apiKey: "${CUSTOM_10_0_0_7_API_KEY}" },
      },
      tiers: { balanced: { models: ["openai/gpt-5", "custom-10.0.0.7/own"] } },
    });
  });

  it("at the address that Parley knows keep their name and their key", async () => {
    const { taken, secrets } = await openClaw({
      providers: { openrouter: { baseUrl: "https://openrouter.ai/api/v1/", apiKey: "k1" } },
      model: "openrouter/big",
    });
    expect(secrets).toEqual({ OPENROUTER_API_KEY: "k1" });
    expect(taken).toEqual(["the model openrouter/big → tiers.balanced.models"]);
  });
});

it("sends the key of Hermes' server to no other address", async () => {
  const { yaml, secrets, left } = await importHome("hermes", {
    "config.yaml": `model: { default: big, provider: lab, base_url: "http://10.0.0.8/v1" }
fallback_providers:
  - { provider: lab, model: own, base_url: "http://10.0.0.7/v1/" }
providers:
  lab: { base_url: "http://10.0.0.7/v1", api_key: k1 }
`,
  });
  expect(secrets).toEqual({ LAB_API_KEY: "k1" });
  expect(parse(yaml)).toEqual({
    providers: {
      "custom-10.0.0.8": { type: "openai", baseUrl: "http://10.0.0.8/v1" },
      lab: { type: "openai", baseUrl: "http://10.0.0.7/v1", apiKey: "${LAB_API_KEY}" },
    },
    tiers: { balanced: { models: ["custom-10.0.0.8/big", "lab/own"] } },
  });
  expect(left).toEqual(["the key of big: that of lab is for another address"]);
});
