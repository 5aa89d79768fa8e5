import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The module table in ARCHITECTURE.md: what each module may import besides itself. */
const modules: Readonly<Record<string, readonly string[] | "all">> = {
  util: [],
  core: [],
  text: ["core"],
  config: ["core", "text"],
  locales: ["core", "text"],
  bots: ["core", "text", "util", "locales"],
  ingress: [
    "core",
    "text",
    "util",
    "locales",
    "store",
    "access",
    "approvals",
    "limits",
    "commands",
  ],
  commands: ["core", "text", "locales", "store", "access", "approvals", "limits"],
  access: ["core", "text", "locales", "store"],
  approvals: ["core", "text", "locales", "store", "access"],
  limits: ["core", "text", "locales", "store", "access"],
  queue: ["core", "util", "store"],
  loop: ["core", "text", "util", "locales", "models", "tools"],
  models: ["core", "util"],
  memory: ["core", "text", "util", "locales", "store"],
  files: ["core", "text", "tools"],
  tools: ["core", "text", "util"],
  skills: ["core", "text", "config"],
  delivery: ["core", "text", "util", "locales", "store"],
  store: ["core", "util"],
  tracing: ["core", "util", "store"],
  http: ["core"],
  page: "all",
  logging: ["core", "text", "util", "config"],
  jobs: "all",
  doctor: "all",
  cli: "all",
  roles: "all",
  "services.ts": "all",
  "app.ts": "all",
  "main.ts": "all",
};

/** Packages that only some places may use; with `types`, others may name their types. */
const keepers: readonly {
  readonly name: RegExp;
  readonly places: readonly string[];
  readonly types?: readonly string[];
}[] = [
  { name: /^ioredis$/, places: ["src/store/"], types: ["src/queue/"] },
  { name: /^bullmq$/, places: ["src/queue/"] },
  { name: /^(?:grammy|@grammyjs\/)/, places: ["src/bots/telegram/"] },
  { name: /^(?:discord|@discordjs\/)/, places: ["src/bots/discord/"] },
  { name: /^(?:mdast-|micromark)/, places: ["src/bots/markdown/"] },
  { name: /^openai$/, places: ["src/models/openai/"] },
  { name: /^ollama$/, places: ["src/models/ollama/"] },
  { name: /^fastify$/, places: ["src/http/", "src/page/"] },
  { name: /^(?:@fastify\/cookie|htmx\.org)$/, places: ["src/page/"] },
  { name: /^prom-client$/, places: ["src/http/"] },
  { name: /^@opentelemetry\//, places: ["src/tracing/"] },
  { name: /^croner$/, places: ["src/text/"] },
  { name: /^yaml$/, places: ["src/config/"] },
  {
    name: /^(?:node:)?child_process$/,
    places: ["src/store/embedded/", "src/tools/processes/"],
  },
];

/** Uses of the process outside `src/main.ts`, each with its reason. */
const exceptions: Readonly<
  Record<string, { readonly uses: readonly string[]; readonly reason: string }>
> = {
  "src/tools/processes/serve.ts": {
    uses: ["process.on", "process.exit"],
    reason: "it is the main file of a child process, which ends with its input",
  },
  "src/store/embedded/supervise.ts": {
    uses: ["process.once", "process.off"],
    reason: "the last resort when Parley exits without disposing: its Redis must not outlive it",
  },
};

interface Imported {
  readonly from: string;
  readonly isType: boolean;
}

/**
 * What a file imports: `import`, `export … from` and `import(…)`. Reads text, not syntax: a comment
 * that looks like an import counts as one, which can only make the check stricter.
 */
function importsOf(source: string): Imported[] {
  const statements =
    /^[ \t]*(?:import|export)\b\s*(type\s+)?(?:[^"';]*?\bfrom\s*)?["']([^"']+)["']/gm;
  const calls = /\b(?:import|require)\s*\(\s*(?:["'`]([^"'`]*)["'`])?/g;
  return [
    ...[...source.matchAll(statements)].map(([, type, from = ""]) => ({
      from,
      isType: type !== undefined,
    })),
    ...[...source.matchAll(calls)].map(([, from]) => ({
      from: from ?? "(computed)",
      isType: false,
    })),
  ];
}

/**
 * Uses of what belongs to `main.ts`: environment, arguments, exit, signals and the process's other
 * events.
 */
function processUsesOf(source: string): string[] {
  const members =
    /\bprocess\s*(?:\?\.|\.|\[\s*["'`])\s*(env|argv|exitCode|exit|abort|once|on|off|addListener)\b/g;
  return [
    ...[...source.matchAll(members)].map(([, name]) => `process.${name}`),
    ...(/\}\s*=\s*process\b/.test(source) ? ["process taken apart"] : []),
  ];
}

/** What all platforms use of `src/bots`. */
const shared: ReadonlySet<string> = new Set(["markdown", "files", "keyed-queue"]);

const moduleOf = (path: string): string => path.split("/")[1] ?? "";

/** Every way in which one file breaks the table. `path` begins with `src/`. Pure. */
function violationsOf(path: string, source: string): string[] {
  const found: string[] = [];
  const module = moduleOf(path);
  const allowed = modules[module];
  if (allowed === undefined) return [`${path}: no such module in the table`];
  for (const { from, isType } of importsOf(source)) {
    if (from.startsWith(".")) {
      const target = posix.join(posix.dirname(path), from);
      found.push(...crossing({ path, target, module, allowed }));
    } else {
      const keeper = keepers.find(({ name }) => name.test(from));
      const mayUse = (places: readonly string[] = []): boolean =>
        places.some((place) => path.startsWith(place));
      if (from === "(computed)") found.push(`${path}: imports what nobody can check`);
      if (/^(?:node:)?process$/.test(from)) found.push(`${path}: imports ${from}`);
      if (keeper && !mayUse(keeper.places) && !(isType && mayUse(keeper.types)))
        found.push(`${path}: imports ${from}`);
    }
  }
  if (path !== "src/main.ts")
    for (const use of processUsesOf(source))
      if (exceptions[path]?.uses.includes(use) !== true) found.push(`${path}: uses ${use}`);
  return found;
}

function crossing(given: {
  readonly path: string;
  readonly target: string;
  readonly module: string;
  readonly allowed: readonly string[] | "all";
}): string[] {
  const { path, target, module, allowed } = given;
  // The project's own name and version, to introduce itself with.
  if (target === "package.json") return [];
  if (!target.startsWith("src/")) return [`${path}: imports ${target}`];
  const other = moduleOf(target);
  if (other === "main.ts") return [`${path}: imports ${target}`];
  if (other !== module)
    return allowed === "all" || allowed.includes(other) ? [] : [`${path}: imports ${target}`];
  // One platform's words are no other platform's business.
  const [, , place = ""] = path.split("/");
  const [, , otherPlace = ""] = target.split("/");
  return module !== "bots" || otherPlace === place || shared.has(otherPlace)
    ? []
    : [`${path}: imports ${target}`];
}

/**
 * Files that import each other, as `a → b → a`; imports of types count too. At
 * least one cycle for every group of such files. Pure.
 * @param files their text by path.
 */
function cyclesOf(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const visited = new Set<string>();
  const visit = (path: string, importers: readonly string[]): void => {
    const start = importers.indexOf(path);
    if (start >= 0) found.push([...importers.slice(start), path].join(" → "));
    if (visited.has(path)) return;
    visited.add(path);
    for (const { from } of importsOf(files.get(path) ?? ""))
      if (from.startsWith(".")) visit(posix.join(posix.dirname(path), from), [...importers, path]);
  };
  for (const path of files.keys()) visit(path, []);
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length).replaceAll("\\", "/"));
}

const sources = filesBelow("src").filter((path) => path.endsWith(".ts"));

describe("the modules", () => {
  it("are all read", () => {
    expect(sources.length).toBeGreaterThan(50);
    const missing = Object.keys(modules).filter(
      (module) => !sources.some((path) => moduleOf(path) === module),
    );
    expect(missing).toEqual([]);
    const imports = sources.flatMap((path) => importsOf(read(path)));
    expect(imports.length).toBeGreaterThan(500);
  });

  it("import only what their table allows", () => {
    expect(sources.flatMap((path) => violationsOf(path, read(path)))).toEqual([]);
  });

  it("import no file that imports them, not even a type", () => {
    const files = new Map(sources.map((path) => [path, read(path)]));
    expect(cyclesOf(files)).toEqual([]);
  });

  it("have the same table in ARCHITECTURE.md", () => {
    const rows = new Map(
      [
        ...read("ARCHITECTURE.md").matchAll(/^\| `src\/([a-z.]+?)\/?` +\| .*? \| ([^|]+?) +\|$/gm),
      ].map(([, module = "", imports = ""]) => [module, imports]),
    );
    const expected = new Map(
      Object.entries(modules).map(([module, allowed]) => [
        module,
        allowed === "all" ? "all" : allowed.join(", ") || "–",
      ]),
    );
    expect(rows).toEqual(expected);
  });

  it("need every exception that is made for them", () => {
    for (const [path, { uses }] of Object.entries(exceptions))
      expect(new Set(processUsesOf(read(path)))).toEqual(new Set(uses));
  });
});

/**
 * Who may read the machine's wall clock, each for a reason; everybody else has Redis' clock or a
 * monotonic one.
 */
const wallClocks: Readonly<Record<string, string>> = {
  "src/cli/admin/export-chat.ts": "the name of a file",
  "src/models/ollama/model.ts": "where a reply says until when, but has no date",
  "src/models/openai/model.ts": "the same",
  "src/models/openai/transcribe.ts": "the same",
  "src/store/redis/server-facts.ts": "how far it is off is what is asked",
  "src/jobs/list-process.ts": "the same",
  "src/store/redis/server-clock.ts": "before Redis' clock was read for the first time",
  "src/store/embedded/fetch-apt.ts": "the age of a file",
  "src/store/embedded/folder-lock.ts": "the time of a file",
};

const readsWallClock = (source: string): boolean =>
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.timeOrigin\b/.test(source);

describe("the machine's wall clock", () => {
  it("is read only where nothing that is compared comes of it", () => {
    const readers = sources.filter((path) => readsWallClock(read(path)));
    expect(readers.toSorted()).toEqual(Object.keys(wallClocks).toSorted());
  });

  it.each(["const atMs = Date.now();", "deps.now ?? Date.now", "new Date()"])(
    "is read by: %s",
    (source) => expect(readsWallClock(source)).toBe(true),
  );
});

describe("the check itself", () => {
  it.each([
    ["src/core/a.ts", 'import { x } from "../store/redis/redis.ts";'],
    ["src/core/a.ts", 'import type { X } from "../store/redis/redis.ts";'],
    ["src/loop/a.ts", 'export * from "../store/redis/redis.ts";'],
    ["src/loop/a.ts", 'import {\n  one,\n  two,\n} from "../queue/names.ts";'],
    ["src/loop/a.ts", 'const x = await import("../delivery/card.ts");'],
    ["src/loop/a.ts", "const x = await import(name);"],
    ["src/loop/a.ts", 'import { Redis } from "ioredis";'],
    ["src/loop/a.ts", 'import type { Redis } from "ioredis";'],
    ["src/queue/a.ts", 'import { Redis } from "ioredis";'],
    ["src/store/a.ts", 'import "../queue/names.ts";'],
    ["src/store/a.ts", 'import { Queue } from "bullmq";'],
    ["src/bots/telegram/a.ts", 'import { x } from "../discord/rest.ts";'],
    ["src/bots/console/a.ts", 'import { Api } from "grammy";'],
    ["src/tools/a.ts", 'import { x } from "../../test/support/x.ts";'],
    ["src/app.ts", 'import "./main.ts";'],
    ["src/unheard/a.ts", ""],
    ["src/models/a.ts", 'const key = process.env["OPENAI_API_KEY"];'],
    ["src/models/a.ts", "const { env } = process;"],
    ["src/models/a.ts", 'import { env } from "node:process";'],
    ["src/app.ts", "process.exit(1);"],
    ["src/app.ts", 'process.on("SIGTERM", stop);'],
    ["src/store/embedded/supervise.ts", "process.exit(1);"],
  ])("finds the violation in %s: %s", (path, source) => {
    expect(violationsOf(path, source)).toHaveLength(1);
  });

  it.each([
    ["src/loop/a.ts", 'import { z } from "zod";\nimport "../core/turn.ts";'],
    ["src/queue/a.ts", 'import type { Redis } from "ioredis";'],
    ["src/bots/discord/a.ts", 'import { x } from "../markdown/parse.ts";'],
    ["src/roles/a.ts", 'import { x } from "../store/redis/redis.ts";'],
    ["src/main.ts", "process.exit(process.argv.length);"],
    ["src/store/embedded/a.ts", "process.kill(process.pid, signal);"],
  ])("lets %s pass: %s", (path, source) => {
    expect(violationsOf(path, source)).toEqual([]);
  });
});

const files = (...each: readonly (readonly [string, string])[]) =>
  new Map(each.map(([name, source]) => [`src/loop/${name}.ts`, source]));

describe("the check for cycles", () => {
  it.each([
    'import { a } from "./a.ts";',
    'import type { A } from "./a.ts";',
    'import {\n  type A,\n  b,\n} from "./a.ts";',
    'export type * from "./a.ts";',
    'const { a } = await import("./a.ts");',
    'type A = import("../loop/a.ts").A;',
  ])("finds %s in what a imports", (back) => {
    const planted = files(
      ["a", 'import { b } from "./b.ts";'],
      ["b", 'import type { C } from "./c.ts";'],
      ["c", back],
    );
    expect(cyclesOf(planted)).toEqual([
      "src/loop/a.ts → src/loop/b.ts → src/loop/c.ts → src/loop/a.ts",
    ]);
  });

  it("finds a file that imports itself", () => {
    const planted = files(["a", 'import type { A } from "./a.ts";']);
    expect(cyclesOf(planted)).toEqual(["src/loop/a.ts → src/loop/a.ts"]);
  });

  it("lets two ways to the same file pass", () => {
    const clean = files(
      ["a", 'import "./b.ts";\nimport "./c.ts";'],
      ["b", 'import type { C } from "./c.ts";'],
      ["c", ""],
    );
    expect(cyclesOf(clean)).toEqual([]);
  });
});

/** Whatever git tracks or would track; without git, everything but what is never committed. */
function repositoryFiles(): string[] {
  try {
    const given = ["ls-files", "-z", "--cached", "--others"];
    const said = execFileSync("git", [...given, "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return said.split("\0").filter((path) => path !== "" && isFile(path));
  } catch {
    const folders = ["src", "test", "docs", "scripts"];
    const top = readdirSync(root).filter((name) => isFile(name));
    return [...top, ...folders.flatMap((folder) => filesBelow(folder))];
  }
}

const isFile = (path: string): boolean =>
  statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;

describe("the repository", () => {
  it("begins its README with the two commands that are promised", () => {
    const commands = [...read("README.md").matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(
      ([, block = ""]) => block.trim().split("\n"),
    );
    expect(commands.slice(0, 2)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
  });

  it("names no machine's paths", () => {
    const files = repositoryFiles();
    expect(files.length).toBeGreaterThan(100);
    // Put together here, so that this file does not name one itself.
    const homes = ["home", "Users", "root", "work"].join("|");
    const machinePath = new RegExp(`(?<![\\w.\`$}~])/(?:${homes})/[\\w.-]+/|[A-Z]:\\\\Users\\\\`);
    const naming = files.filter((path) => machinePath.test(read(path)));
    expect(naming).toEqual([]);
  });

  it("locks its packages without naming the registry that they came from", () => {
    const lock = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<Record<string, { readonly resolved?: string }>>;
    };
    const entries = Object.entries(lock.packages);
    expect(entries.length).toBeGreaterThan(100);
    const resolved = entries.filter(([, entry]) => "resolved" in entry);
    expect(resolved).toEqual([]);
  });

  it("links only to files and headings that exist", () => {
    const pages = repositoryFiles().filter((path) => path.endsWith(".md"));
    expect(pages.flatMap((page) => brokenLinks(page, read(page)))).toEqual([]);
  });

  it("finds a link to a file or a heading that does not exist", () => {
    const links =
      "# A `b`, c_d!\n## Twice\n## Twice\n[x](#a-b-c_d) [x](#twice-1) [x](README.md) [x](#none) [x](NONE.md) [x](README.md#none)";
    expect(brokenLinks("SECURITY.md", links)).toEqual([
      "SECURITY.md: #none",
      "SECURITY.md: NONE.md",
      "SECURITY.md: README.md#none",
    ]);
  });

  it("names only pages that exist in its comments", () => {
    const named = repositoryFiles()
      .filter((path) => /^(?:src|scripts|bench)\/.*\.(?:ts|mjs|lua)$/.test(path))
      // It names the files of other bots.
      .filter((path) => !path.startsWith("src/cli/init/import/"))
      .flatMap((path) =>
        [...read(path).matchAll(/\b(?:docs\/[\w/-]+|[A-Z]{5,})\.md\b/g)].map(([page]) => page),
      );
    // The main file of each skill.
    const pages = named.filter((page) => page !== "SKILL.md");
    expect(pages.filter((page) => !isFile(page))).toEqual([]);
  });
});

/** The links of a page, relative ones only, whose file or heading does not exist. */
function brokenLinks(page: string, text: string): string[] {
  const links = text
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
  return [...links]
    .filter(([, target = "", anchor]) => {
      const path = target === "" ? page : posix.join(dirname(page), target);
      const found = statSync(join(root, path), { throwIfNoEntry: false });
      if (found === undefined) return true;
      const linked = target === "" ? text : anchor && read(path);
      return anchor && !anchorsOf(linked ?? "").has(anchor);
    })
    .map(([link]) => `${page}: ${link.slice(2, -1)}`);
}

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const code = /^```[\s\S]*?^```/gm;
  for (const [, heading = ""] of page.replaceAll(code, "").matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    let name = anchor;
    for (let count = 1; anchors.has(name); count += 1) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}
