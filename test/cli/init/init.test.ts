import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { greetingQuestion, toolQuestion } from "../../../src/cli/init/check-model.ts";
import { CancelledError, type Dialog } from "../../../src/cli/init/dialog.ts";
import { initUsage, readFlags } from "../../../src/cli/init/options.ts";
import { runInit, setUp, type InitDeps } from "../../../src/cli/init/run-init.ts";
import { compatibleAt, findServers, ollamaAt } from "../../../src/cli/init/servers.ts";
import { importedSchema } from "../../../src/core/imported.ts";
import { PermanentError } from "../../../src/core/errors.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import { OllamaServer } from "../../emulators/model/ollama-server.ts";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { TelegramServer } from "../../emulators/telegram/telegram-server.ts";
import { SearchServer } from "../../emulators/search/search-server.ts";
import { read } from "../../support/shown-by.ts";
import { hermesHome } from "./homes.ts";

const apiKey = "sk-test-planted-0123456789abcdef";
const model = new ScriptedModel()
  .when(greetingQuestion, { text: "Hello to you" })
  .when(toolQuestion, {
    toolCalls: [{ name: "current_time", arguments: { timeZone: "Asia/Tokyo" } }],
  });
const parts = new AsyncDisposableStack();
const ollama = parts.use(await OllamaServer.start({ model }));
const openai = parts.use(await OpenAiServer.start({ model, apiKey }));
const unpaid = parts.use(await OpenAiServer.start({ apiKey }));
const telegram = parts.use(await TelegramServer.start({ botUsername: "robin_bot" }));
const discord = parts.use(await DiscordServer.start());
const searchKey = "planted-search-0123456789";
const searxng = parts.use(await SearchServer.start("searxng"));
const brave = parts.use(await SearchServer.start("brave", { key: searchKey }));
for (const { pages } of [searxng, brave])
  pages.push({ url: "https://a.example/", title: "Weather", snippet: "Rain" });
afterAll(async () => await parts.disposeAsync());

/** Nothing listens there. */
const nowhere = "http://127.0.0.1:9";
const folder = mkdtempSync(join(tmpdir(), "parley-init-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const get = (name: string): string => readFileSync(join(folder, name), "utf8");
const telegramFile = () => put("telegram.token", `${telegram.token}\n`);

function depsFor(given: readonly string[], environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const deps: InitDeps = {
    arguments: given,
    environment: {
      TELEGRAM_API_ROOT: telegram.apiRoot,
      DISCORD_API_ROOT: discord.apiRoot,
      OLLAMA_HOST: ollama.baseUrl,
      ...environment,
    },
    workingFolder: folder,
    isTerminal: false,
    print: (line) => void lines.push(line),
    signal: new AbortController().signal,
  };
  return { deps, lines };
}

/** What a script sees. */
async function script(given: readonly string[], environment: Record<string, string> = {}) {
  const { deps, lines } = depsFor(["--yes", ...given], environment);
  const outcome = await runInit(deps);
  const output = lines.join("\n");
  for (const secret of [telegram.token, discord.token, apiKey])
    expect(output).not.toContain(secret);
  return { outcome, output };
}

describe("init as a script", () => {
  it("replaces no variable of .env that another bot's MCP server calls the same", async () => {
    const source = mkdtempSync(join(tmpdir(), "parley-hermes-"));
    onTestFinished(() => rmSync(source, { recursive: true }));
    writeFileSync(
      join(source, "config.yaml"),
      'mcp_servers: { lab: { command: lab, env: { TOKEN: "${LAB_TOKEN}" } } }',
    );
    writeFileSync(join(source, ".env"), "LAB_TOKEN=theirs\n");
    put(".env", "LAB_TOKEN=ours\n");
    const flags = ["--copy-secrets", "--skip-checks", "--terminal-only", "--model", "demo/demo"];
    const { outcome } = await script([...flags, "--from", "hermes", source]);
    expect(outcome).toBe("written");
    expect(get(".env")).toBe("LAB_TOKEN=ours\nMCP_LAB_LAB_TOKEN=theirs\n");
    expect(get("parley.yaml")).toContain("TOKEN: ${MCP_LAB_LAB_TOKEN}");
  });

  it("checks everything, then writes both files for their owner only", async () => {
    const discordFile = put("discord.token", discord.token);
    const { outcome, output } = await script([
      "--model",
      "ollama/qwen3",
      "--telegram-token-file",
      telegramFile(),
      "--discord-token-file",
      discordFile,
    ]);
    expect(outcome).toBe("written");
    expect(output).toMatch(/✓ qwen3 answers \(\d+\.\d s\): “Hello to you”\n✓ qwen3 calls tools/);
    expect(output).toMatch(/@robin_bot\n- Privacy mode is on[^]*\/setprivacy/);
    expect(output).toContain("On Telegram: open the link that Parley prints when it starts.");
    expect(output).not.toContain("CODE");
    for (const name of [".env", "parley.yaml"])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(get(".env")).toContain(`\nTELEGRAM_BOT_TOKEN=${telegram.token}\n`);
    expect(get(".env")).toContain("# From @BotFather");
    expect(get("parley.yaml")).toMatch(/^# [^]*\n# The model that answers[^]*- ollama\/qwen3\n$/);
    expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
    expect(ollama.violations).toEqual([]);
  });

  it("prints an invite link with the permissions that the documentation names", async () => {
    const file = put("discord.token", discord.token);
    const { output } = await script(["--model", "demo", "--discord-token-file", file]);
    const [, permissions = ""] =
      /scope=bot\+applications\.commands&permissions=(\d+)/.exec(output) ?? [];
    for (const page of ["README.md", "docs/discord.md"])
      expect(read(page)).toContain(`permissions=${permissions}\``);
  });

  it("keeps what it doesn't know, and says what it changes", async () => {
    put(".env", `# mine\nOTHER=1\nTELEGRAM_BOT_TOKEN=${"1".repeat(9)}:${"x".repeat(35)}\n`);
    put("parley.yaml", "# my bot\naccess: { mode: open } # everyone\n");
    const { output } = await script([
      "--model",
      "ollama/qwen3",
      "--telegram-token-file",
      telegramFile(),
    ]);
    expect(get(".env")).toBe(`# mine\nOTHER=1\nTELEGRAM_BOT_TOKEN=${telegram.token}\n`);
    expect(get("parley.yaml")).toContain("# my bot\naccess: { mode: open } # everyone\n");
    expect(output).toContain("- TELEGRAM_BOT_TOKEN=••••\n  + TELEGRAM_BOT_TOKEN=••••");
    expect(output).toContain("+       - ollama/qwen3");
    expect(output).not.toContain("xxxxx");
  });

  it("changes nothing when it is run again", async () => {
    await script(["--model", "ollama/qwen3", "--telegram-token-file", telegramFile()]);
    const before = [get(".env"), get("parley.yaml")];
    const { outcome, output } = await script([]);
    expect(outcome).toBe("written");
    expect(output).toContain("no file needs a change");
    expect([get(".env"), get("parley.yaml")]).toEqual(before);
  });

  it("writes the file that PARLEY_CONFIG names", async () => {
    await script(["--model", "ollama/qwen3", "--terminal-only"], { PARLEY_CONFIG: "own.yaml" });
    expect(readdirSync(folder)).toEqual(["own.yaml"]);
  });

  it("sets up a server with OpenAI's API and a key", async () => {
    const file = put("key", apiKey);
    const { output } = await script([
      "--openai-base-url",
      openai.baseUrl,
      "--openai-key-file",
      file,
      "--model",
      "gpt-4o-mini",
      "--terminal-only",
    ]);
    expect(output).toContain("gpt-4o-mini calls tools");
    expect(get("parley.yaml")).toContain("apiKey: ${OPENAI_API_KEY}");
    expect(get(".env")).toContain(`OPENAI_API_KEY=${apiKey}\n`);
    expect(openai.violations).toEqual([]);
  });

  it("sets up a web search with an address or a key, after one that works", async () => {
    brave.violations.length = 0;
    const bare = ["--model", "demo", "--terminal-only", "--web-search"];
    const { output } = await script([...bare, "searxng", "--search-url", searxng.url]);
    expect(output).toContain("✓ Web search works");
    expect(get("parley.yaml")).toContain(
      `webSearch:\n  provider: searxng\n  url: ${searxng.url}\n`,
    );
    const file = put("key", searchKey);
    const second = ["--search-url", brave.url, "--search-key-file", file];
    const { output: later } = await script([...bare, "brave", ...second]);
    expect(later).not.toContain(searchKey);
    expect(get("parley.yaml")).toMatch(/webSearch:\n[^]*apiKey: \$\{BRAVE_API_KEY\}\n/);
    expect(get("parley.yaml")).not.toContain(searxng.url);
    expect(get(".env")).toContain(`BRAVE_API_KEY=${searchKey}\n`);
    expect([...searxng.violations, ...brave.violations]).toEqual([]);
    const before = [get(".env"), get("parley.yaml")];
    await script(["--model", "demo", "--terminal-only"]);
    expect([get(".env"), get("parley.yaml")]).toEqual(before);
  });

  it("has one embedding made where a model is set for them; without one it only warns", async () => {
    const server = await OllamaServer.start({
      model,
      embeddings: (texts) => texts.map(() => [1, 2, 3]),
    });
    await using _ = server;
    const given = ["--model", "ollama/qwen3", "--terminal-only"];
    put("parley.yaml", "memory: { embeddings: ollama/nomic-embed-text }\n");
    const { output } = await script(given, { OLLAMA_HOST: server.baseUrl });
    expect(output).toContain(
      "✓ The embeddings of ollama/nomic-embed-text are made (3 dimensions).",
    );
    const { outcome, output: later } = await script(given);
    expect(later).toMatch(
      /! ollama\/nomic-embed-text makes no embeddings: [^]*keywords alone\.\n {2}\S/,
    );
    expect(outcome).toBe("written");
    put("parley.yaml", "");
    expect((await script(given)).output).not.toContain("embeddings");
  });

  it("warns of a variable in the shell that overrides .env", async () => {
    const other = await TelegramServer.start({ botUsername: "other_bot" });
    await using _ = other;
    const { output } = await script(["--model", "demo", "--telegram-token-file", telegramFile()], {
      TELEGRAM_BOT_TOKEN: other.token,
    });
    expect(output).toContain("TELEGRAM_BOT_TOKEN is also set in your shell, which overrides .env.");
  });
});

describe("what doesn't work is named with its fix, and nothing is written", () => {
  const bad = `${"1".repeat(9)}:${"x".repeat(35)}`;
  const bare = ["--model", "demo", "--terminal-only"];
  const cases: Record<
    string,
    { given: () => readonly string[]; environment?: Record<string, string>; says: RegExp }
  > = {
    "a wrong Telegram token": {
      given: () => ["--model", "demo", "--telegram-token-file", put("t", bad)],
      says: /✗ Telegram doesn't accept this token\. Copy it again: in @BotFather/,
    },
    "half a Telegram token": {
      given: () => ["--model", "demo", "--telegram-token-file", put("t", "12345")],
      says: /✗ Telegram: that doesn't look like a token: expected a bot token from @BotFather/,
    },
    "Telegram out of reach": {
      given: () => ["--model", "demo", "--telegram-token-file", put("t", bad)],
      environment: { TELEGRAM_API_ROOT: nowhere },
      says: /✗ Can't reach Telegram at http:\/\/127\.0\.0\.1:9[^]*connection, firewall or proxy/,
    },
    "a wrong Discord token": {
      given: () => [
        "--model",
        "demo",
        "--discord-token-file",
        put("t", "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.zzz"),
      ],
      says: /✗ Discord doesn't accept this token\. Reset it on the page Bot/,
    },
    "a model that Ollama doesn't have": {
      given: () => ["--model", "ollama/nope", "--terminal-only"],
      says: /✗ Ollama does not have the model "nope"; fetch it with: ollama pull nope/,
    },
    "an Ollama that doesn't run": {
      given: () => ["--ollama-host", nowhere, "--model", "ollama/qwen3", "--terminal-only"],
      says: /✗ Can't reach Ollama at http:\/\/127\.0\.0\.1:9 [^]*`ollama serve`[^]*--ollama-host/,
    },
    "a wrong key": {
      given: () => [
        "--openai-base-url",
        openai.baseUrl,
        "--openai-key-file",
        put("k", "sk-wrong-0123456789abcdef"),
        "--model",
        "gpt-4o-mini",
        "--terminal-only",
      ],
      says: /✗ 127\.0\.0\.1:\d+ refused the key [^]*Copy it again/,
    },
    "a key whose account is empty": {
      given: () => {
        unpaid.model.reply({ failure: { status: 429, code: "insufficient_quota" } });
        return [
          "--openai-base-url",
          unpaid.baseUrl,
          "--openai-key-file",
          put("k", apiKey),
          "--model",
          "gpt-4o-mini",
          "--terminal-only",
        ];
      },
      says: /✗ The key works, but the account has no credit [^]*billing page/,
    },
    "a model that the server doesn't have": {
      given: () => [
        "--openai-base-url",
        openai.baseUrl,
        "--openai-key-file",
        put("k", apiKey),
        "--model",
        "gpt-9",
        "--terminal-only",
      ],
      says: /✗ 127\.0\.0\.1:\d+ doesn't have gpt-9 [^]*Check the model's name/,
    },
    "a SearXNG that doesn't run": {
      given: () => [...bare, "--web-search", "searxng", "--search-url", `${ollama.baseUrl}/no`],
      says: /✗ The web search fails: SearXNG failed \(HTTP 404\)\.\n {2}Correct webSearch\.url/,
    },
    "a wrong key for a web search": {
      given: () => [
        ...bare,
        "--web-search",
        "brave",
        "--search-url",
        brave.url,
        "--search-key-file",
        put("k", "wrong"),
      ],
      says: /✗ The web search fails: Brave Search refused the search [^]*Check the key and its plan at https:/,
    },
  };
  it.each(Object.entries(cases))("%s", async (_name, { given, environment, says }) => {
    const { outcome, output } = await script(given(), environment);
    expect(output).toMatch(says);
    expect(outcome).toBe("not-written");
    expect(readdirSync(folder).filter((name) => /env|yaml/.test(name))).toEqual([]);
  });

  it("but --skip-checks writes it all the same", async () => {
    const { outcome, output } = await script([
      "--ollama-host",
      nowhere,
      "--model",
      "ollama/qwen3",
      "--terminal-only",
      "--skip-checks",
    ]);
    expect(outcome).toBe("written");
    expect(output).toContain("Can't reach Ollama");
    expect(get("parley.yaml")).toContain(`host: ${nowhere}`);
  });

  it("a model without tools is a warning", async () => {
    const { outcome, output } = await script(["--model", "ollama/gemma3", "--terminal-only"]);
    expect(output).toMatch(/! gemma3 didn't call the tool[^]*Models that do: qwen3/);
    expect(outcome).toBe("written");
  });
});

describe("arguments that are of no use", () => {
  it.each([
    [["--yes", "--telegram-token", "123:abc"], /put it into a file, and add -file to the name/],
    [["--yes", "--modle", "x"], /Unknown option '--modle'/],
    [["--yes", "--model", "x", "--ollama-host", "ftp://x"], /--ollama-host: expected an address/],
    [["--yes", "--from", "chatbox"], /--from: expected openclaw or hermes/],
    [["--yes", "folder"], /Unexpected words without an option/],
    [["--yes", "--search-key", "123:abc"], /put it into a file, and add -file to the name/],
    [
      ["--yes", "--model", "demo", "--terminal-only", "--web-search", "google"],
      /webSearch\.provider[^]*expected searxng, brave or tavily/,
    ],
    [
      ["--yes", "--model", "demo", "--terminal-only", "--web-search", "searxng"],
      /webSearch\.url[^]*expected the address of your SearXNG/,
    ],
    [
      ["--yes", "--model", "demo", "--terminal-only", "--web-search", "tavily"],
      /webSearch\.apiKey[^]*expected a key/,
    ],
    [
      ["--yes", "--openai-key-file", "nope", "--model", "openai/x"],
      /--openai-key-file: can't read nope/,
    ],
    [[], /asks questions, and there is no terminal[^]*--yes/],
  ])("are named: %j", async (given, says) => {
    const { deps } = depsFor(given);
    const failing = runInit(deps);
    await expect(failing).rejects.toThrow(says);
    await expect(failing).rejects.toThrow(PermanentError);
    await expect(failing).rejects.not.toThrow(/123:abc/);
  });

  it("no one is asked in a terminal that can't move its cursor", async () => {
    const { deps } = depsFor([], { TERM: "dumb" });
    await expect(runInit({ ...deps, isTerminal: true })).rejects.toThrow(/no terminal that can/);
  });

  it("every option is in the help, whose lines fit in 100 columns", () => {
    for (const flag of Object.keys(readFlags([])).filter((name) => name !== "source"))
      expect(initUsage).toContain(`--${flag}`);
    for (const line of initUsage.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe("servers on this machine", () => {
  it("are found by their ports, with the models that can talk", async () => {
    const studio = await OpenAiServer.start({ models: ["qwen/qwen3-4b", "text-embedding-nomic"] });
    await using _ = studio;
    const asked = [ollamaAt(ollama.baseUrl), ollamaAt(nowhere), compatibleAt(studio.baseUrl)];
    const found = await findServers(asked, new AbortController().signal);
    expect(found.map(({ address, models }) => [address, models])).toEqual([
      [ollama.baseUrl, ["qwen3", "llama3.2", "gemma3"]],
      [studio.baseUrl, ["qwen/qwen3-4b"]],
    ]);
  });
});

/** Answers each question by the first entry whose key is part of it. */
function person(answers: Readonly<Record<string, string | boolean | CancelledError>>) {
  const said: string[] = [];
  const answer = async (question: string): Promise<never> => {
    const found = Object.entries(answers).find(([part]) => question.includes(part))?.[1];
    if (found === undefined) throw new Error(`no answer to ${question}`);
    if (found instanceof CancelledError) throw found;
    return await Promise.resolve(found as never);
  };
  const dialog: Dialog = {
    asks: true,
    start: () => undefined,
    say: (_mark, text) => void said.push(text),
    box: (title, lines) => void said.push(title, ...lines),
    end: (text) => void said.push(text),
    choose: answer,
    write: answer,
    secret: answer,
    agrees: answer,
  };
  return { dialog, said };
}

describe("init in a terminal", () => {
  const answers = {
    "Its address": ollama.baseUrl,
    "Connect Telegram": "new",
    "Paste the token": telegram.token,
    "Connect Discord": "none",
    "search the web": "none",
    "Start Parley now": true,
  };

  it("asks, saves after a yes, and starts", async () => {
    const { deps } = depsFor([]);
    const { dialog, said } = person({
      ...answers,
      "Which model should answer": "host",
      "Which Ollama model": "qwen3",
      "Save this": true,
    });
    expect(await setUp(deps, readFlags([]), dialog)).toBe("start");
    expect(get("parley.yaml")).toContain("ollama/qwen3");
    expect(said.join("\n")).not.toContain(telegram.token);
  });

  it.each([
    ["kept", true],
    ["left out", false],
  ])("asks for a web search, and one that doesn't work is %s by a yes or no", async (_, keeps) => {
    const { deps } = depsFor(["--terminal-only"]);
    const { dialog, said } = person({
      "Which model": "demo",
      "search the web": "searxng",
      "address of SearXNG": `${ollama.baseUrl}/no`,
      "Save it without": keeps,
      "Save this": true,
      "Start Parley": false,
    });
    expect(await setUp(deps, readFlags(["--terminal-only"]), dialog)).toBe("written");
    expect(said.join("\n")).toContain("Correct webSearch.url");
    expect(readdirSync(folder).includes("parley.yaml")).toBe(keeps);
  });

  it.each([
    ["a no", false],
    ["Ctrl-C", new CancelledError()],
  ])("leaves everything as it was after %s", async (_name, save) => {
    put(".env", "A=1\n");
    const { deps } = depsFor([]);
    const { dialog, said } = person({
      ...answers,
      "Which model should": "demo",
      "Save this": save,
    });
    expect(await setUp(deps, readFlags([]), dialog)).toBe("not-written");
    expect(said.at(-1)).toBe("Stopped. Nothing was changed.");
    expect(readdirSync(folder)).toEqual([".env"]);
    expect(get(".env")).toBe("A=1\n");
  });

  it.each([
    [true, /TELEGRAM_BOT_TOKEN=123:planted-telegram/],
    [false, /^(?![^]*planted)/],
  ])("copies another bot's secrets only after a yes: %s", async (copies, env) => {
    const { deps } = depsFor([]);
    const source = mkdtempSync(join(tmpdir(), "parley-hermes-"));
    for (const [name, text] of Object.entries(hermesHome)) {
      mkdirSync(dirname(join(source, name)), { recursive: true });
      writeFileSync(join(source, name), text);
    }
    const { dialog, said } = person({
      Copy: copies,
      "Which model": "demo",
      "Connect Telegram": "none",
      "Connect Discord": "none",
      "search the web": "none",
      "Save it without": true,
      "Save this": true,
      "Start Parley": false,
    });
    const flags = readFlags(["--from", "hermes", source, "--skip-checks", "--terminal-only"]);
    expect(await setUp(deps, flags, dialog)).toBe("written");
    rmSync(source, { recursive: true });
    const written = readdirSync(folder).includes(".env") ? get(".env") : "";
    expect(written).toMatch(env);
    expect(get("parley.yaml")).toContain("default: hermes");
    expect(get("skills/arxiv/SKILL.md")).toBe(hermesHome["skills/research/arxiv/SKILL.md"]);
    expect(importedSchema.parse(JSON.parse(get("data/import.json")))).toMatchObject({
      facts: ["prefers tea", "lives in Kiel"],
      schedules: [{ text: "Summarize today's news" }, { text: "Drink water" }],
    });
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
    // People agree to what they have seen.
    expect(said.join("\n")).toMatch(/skills\/arxiv\/SKILL\.md \(\d+ bytes\)/);
    expect(said).toContain('+     "prefers tea",');
    expect(get("personas/hermes.md")).toContain("\n---\n\nYou are Hermes, terse and exact.\n");
  });

  it("leaves a file alone that has come while it asked", async () => {
    const source = mkdtempSync(join(tmpdir(), "parley-hermes-"));
    writeFileSync(join(source, "SOUL.md"), "# Who\nBe kind.");
    const { deps } = depsFor([]);
    const { dialog, said } = person({
      "Which model": "demo",
      "search the web": "none",
      "Save this": true,
    });
    const agrees: Dialog["agrees"] = (question) => {
      mkdirSync(join(folder, "personas"), { recursive: true });
      put("personas/hermes.md", "Mine.");
      return dialog.agrees(question);
    };
    const flags = readFlags(["--from", "hermes", source, "--skip-checks", "--terminal-only"]);
    await expect(setUp(deps, flags, { ...dialog, agrees })).rejects.toThrow(
      /hermes\.md was created since init began/,
    );
    rmSync(source, { recursive: true });
    // People agree to what they have seen, headings too.
    expect(said).toContain("+ # Who");
    expect(get("personas/hermes.md")).toBe("Mine.");
    expect(readdirSync(folder)).toEqual(["personas"]);
  });
});
