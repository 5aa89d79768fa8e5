import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { environmentNames } from "../src/config/environment.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const healthcheckSchema = z.object({ test: z.array(z.string()) });

const serviceSchema = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  networks: z.array(z.string()).optional(),
  ports: z.array(z.unknown()).optional(),
  network_mode: z.string().optional(),
  privileged: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  profiles: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).optional(),
  command: z.array(z.string()).optional(),
  healthcheck: healthcheckSchema.optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
});

const compose = z
  .object({
    services: z.record(z.string(), serviceSchema),
    networks: z.record(z.string(), z.object({ internal: z.boolean().optional() }).nullable()),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(parse(read("docker-compose.yml"), { merge: true }));

function service(name: string): z.infer<typeof serviceSchema> {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`there is no service ${name}`);
  return found;
}

/**
 * What a service sees of a name that stands in `.env`, as compose writes it; undefined: nothing.
 */
function valueIn(
  { environment = {}, env_file: files = [] }: z.infer<typeof serviceSchema>,
  name: string,
): string | undefined {
  const isInFile = files.some(({ path }) => path === ".env");
  return environment[name] ?? (isInFile ? `\${${name}}` : undefined);
}

const all = Object.keys(compose.services);
const roles: Readonly<Record<string, "bots" | "worker">> = {
  bots: "bots",
  worker: "worker",
  "standby-bots": "bots",
  "more-workers": "worker",
};
const ours = Object.keys(roles);
const monitoring = ["prometheus", "grafana"];

/** Names of no setting, that a parley.yaml may use. */
const forFile = new Set(["WEBHOOK_SECRET"]);

/** What a role has no use for, and so must not be given. */
const foreignSecrets: Record<"bots" | "worker", readonly string[]> = {
  bots: ["OPENAI_API_KEY"],
  worker: ["TELEGRAM_BOT_TOKEN", "DISCORD_TOKEN", "WEBHOOK_SECRET"],
};

describe("docker-compose.yml", () => {
  it("has Redis, the bots, two workers and, when asked for, more of them, Ollama, a search engine and monitoring", () => {
    expect(all).toEqual(["redis", ...ours, "ollama", "searxng", ...monitoring]);
    expect(service("worker").deploy?.replicas).toBe(2);
    expect(service("bots").deploy).toBeUndefined();
    expect(service("more-workers").deploy?.replicas).toBe(4);
    for (const name of ["standby-bots", "more-workers"])
      expect(service(name).profiles).toEqual(["many"]);
    for (const name of ["ollama", "searxng"]) expect(service(name).profiles).toEqual([name]);
    for (const name of monitoring) expect(service(name).profiles).toEqual(["observe"]);
    const always = all.filter((name) => !service(name).profiles);
    expect(always).toEqual(["redis", "bots", "worker"]);
  });

  it("publishes no port but Grafana's, and that on the host's loopback", () => {
    for (const name of all) {
      const own = name === "grafana" ? ["127.0.0.1:3000:3000"] : undefined;
      expect(service(name).ports, name).toEqual(own);
      expect(service(name).network_mode, name).toBeUndefined();
    }
    for (const name of ["redis", "prometheus"]) expect(service(name).networks).toEqual(["inside"]);
    expect(compose.networks["inside"]?.internal).toBe(true);
  });

  it("lets Redis keep what it acknowledged, and evict nothing", () => {
    const [, , script = ""] = service("redis").command ?? [];
    expect(script).toMatch(/^exec redis-server - /);
    expect(script).toContain("--appendonly yes");
    expect(script).toContain("--appendfsync always");
    expect(script).toContain("--maxmemory-policy noeviction");
    expect(service("redis").volumes).toEqual(["redis:/data"]);
  });

  it("asks for a password, and has none of its own", () => {
    const [, , script = ""] = service("redis").command ?? [];
    expect(script).toContain("\nrequirepass $$REDIS_PASSWORD\n");
    const given = [
      service("redis").environment?.["REDIS_PASSWORD"],
      ...ours.map((name) => service(name).environment?.["REDIS_URL"]),
    ];
    for (const text of given) expect(text).toMatch(/\$\{REDIS_PASSWORD:\?[^}]+\}/);
    expect(read("docker-compose.yml")).not.toMatch(/REDIS_PASSWORD:?-/);
  });

  it.each(ours)("runs %s with no more rights than it needs", (name) => {
    const found = service(name);
    expect(found.user).toBe("node");
    expect(found.read_only).toBe(true);
    expect(found.tmpfs).toEqual(["/tmp"]);
    expect(found.volumes).toEqual(["data:/data"]);
    expect(found.restart).toBe("unless-stopped");
    expect(found.stop_grace_period).toBe("15s");
    expect(found.depends_on).toEqual({
      redis: { condition: "service_healthy" },
    });
  });

  it.each(all)("gives %s no capability and no way to one", (name) => {
    const found = service(name);
    expect(found.cap_drop).toEqual(["ALL"]);
    expect(found.cap_add).toBeUndefined();
    expect(found.privileged).toBeUndefined();
    expect(found.security_opt).toEqual(["no-new-privileges:true"]);
  });

  it("does not run Redis as root", () => {
    expect(service("redis").user).toBe("redis");
    expect(service("redis").read_only).toBe(true);
  });

  it("asks each Parley over its own loopback whether it is ready", () => {
    for (const name of ours) {
      const { healthcheck, environment = {} } = service(name);
      const [kind, command, flag, script = ""] = healthcheck?.test ?? [];
      expect([kind, command, flag]).toEqual(["CMD", "node", "-e"]);
      const port = environment["PARLEY_HTTP_PORT"];
      expect(script).toContain(`fetch("http://127.0.0.1:${port}/readyz")`);
      // Prometheus asks from another container; its own loopback answers as well.
      expect(environment["PARLEY_HTTP_HOST"]).toBe("${PARLEY_HTTP_HOST:-0.0.0.0}");
      expect(() => new Script(script)).not.toThrow();
    }
    expect(service("redis").healthcheck?.test.join(" ")).toContain("PONG");
  });

  it("sets only names that Parley knows, each where it belongs", () => {
    for (const name of ours) {
      const given = Object.keys(service(name).environment ?? {}).filter(
        (each) => !forFile.has(each),
      );
      expect(
        // Those of the SDK are not Parley's, and one set of them is for all who send spans.
        given.filter((each) => !environmentNames.includes(each) && !each.startsWith("OTEL_")),
        name,
      ).toEqual([]);
      expect(service(name).environment?.["PARLEY_ROLE"]).toBe(roles[name]);
    }
    for (const name of ["bots", "worker"])
      expect(
        Object.keys(service(name).environment ?? {}).filter((each) => each.startsWith("OTEL_")),
      ).toEqual(["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"]);
    for (const [name, role] of Object.entries(roles))
      for (const each of foreignSecrets[role])
        expect(valueIn(service(name), each) ?? "", `${name}: ${each}`).toBe("");
  });

  it("passes every key to the workers that a parley.yaml of the documentation names", () => {
    const pages = ["README.md", "docs/models.md", "docs/mcp.md", "docs/settings.md"];
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/(?<!\$)\$\{([A-Z_]+)\}/g)].map(([, name = ""]) => name),
    );
    expect(named).toEqual(expect.arrayContaining(["OPENROUTER_API_KEY", "TICKETS_TOKEN"]));
    for (const key of new Set(named.filter((name) => name !== "NAME")))
      for (const [name, role] of Object.entries(roles)) {
        const isForeign = foreignSecrets[role].includes(key);
        if (role === "worker" || key === "WEBHOOK_SECRET")
          expect(valueIn(service(name), key), `${name}: ${key}`).toEqual(
            isForeign ? "" : expect.stringContaining(key),
          );
      }
  });

  it("provisions Grafana with its data source and the dashboard, to be read without a login", () => {
    const { volumes = [], environment = {} } = service("grafana");
    const inside = (path: string) =>
      volumes.some((volume) => path.startsWith(volume.split(":")[1] ?? "?"));
    const [provider] = z
      .object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
      .parse(parse(read("deploy/grafana/provisioning/dashboards/parley.yml"))).providers;
    expect(inside(`${provider?.options.path}/parley.json`)).toBe(true);
    const [source] = z
      .object({ datasources: z.array(z.object({ type: z.string(), url: z.string() })) })
      .parse(parse(read("deploy/grafana/provisioning/datasources/prometheus.yml"))).datasources;
    expect(source).toEqual({ type: "prometheus", url: "http://prometheus:9090" });
    expect(environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ORG_ROLE: "Viewer",
      GF_AUTH_DISABLE_LOGIN_FORM: "true",
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: "true",
    });
  });

  it("gives SearXNG settings with the JSON that the tool reads", () => {
    const { volumes = [] } = service("searxng");
    const [path = ""] = volumes[0]?.split(":") ?? [];
    expect(volumes[0]).toContain(":/etc/searxng/settings.yml:ro");
    expect(parse(read(path))).toMatchObject({
      use_default_settings: true,
      search: { formats: expect.arrayContaining(["json"]) },
    });
  });

  it("lets a parley.yaml choose a webhook, with a secret of the operator", () => {
    for (const name of ours.filter((each) => roles[each] === "bots"))
      expect(service(name).environment?.["WEBHOOK_SECRET"]).toBe("${WEBHOOK_SECRET:-}");
  });

  it("mounts only volumes that it declares and files that exist, and joins only networks that it declares", () => {
    for (const name of all) {
      for (const volume of service(name).volumes ?? []) {
        const [source = "", , mode] = volume.split(":");
        if (!source.startsWith("./")) expect(Object.keys(compose.volumes)).toContain(source);
        else expect([existsSync(join(root, source)), mode], volume).toEqual([true, "ro"]);
      }
      for (const network of service(name).networks ?? [])
        expect(Object.keys(compose.networks)).toContain(network);
    }
  });
});

/** The Dockerfile's instructions, continued lines joined, comments left out. */
const instructions = read("Dockerfile")
  .replaceAll(/\\\n\s*/g, " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [name = "", ...rest] = line.split(" ");
    return { name, value: rest.join(" ") };
  });

const valuesOf = (name: string): string[] =>
  instructions.flatMap((each) => (each.name === name ? [each.value] : []));

describe("the Dockerfile", () => {
  it("stands on Node 24, in two stages", () => {
    expect(valuesOf("FROM")).toEqual(["node:24-slim AS dependencies", "node:24-slim"]);
  });

  it("installs what production needs, and runs no one's scripts", () => {
    const [install] = valuesOf("RUN");
    expect(install).toBe("npm ci --omit=dev --ignore-scripts");
  });

  it("runs as an ordinary user, for production", () => {
    const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));
    expect(lastStage.filter(({ name }) => name === "USER")).toEqual([
      { name: "USER", value: "node" },
    ]);
    expect(valuesOf("ENV").join(" ")).toContain("NODE_ENV=production");
    expect(valuesOf("CMD")).toEqual([
      '["node", "--max-semi-space-size=16", "--import", "./scripts/before-start.mjs", "src/main.ts"]',
    ]);
  });

  it("copies only what exists and what the builder is given", () => {
    const copied = valuesOf("COPY")
      .filter((value) => !value.startsWith("--from="))
      .flatMap((value) => value.split(" ").slice(0, -1));
    expect(new Set(copied)).toEqual(
      new Set([
        "package.json",
        "package-lock.json",
        "LICENSE",
        "scripts/before-start.mjs",
        "src",
        "personas",
      ]),
    );
    const ignored = read(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(ignored[0]).toBe("*");
    for (const source of copied) {
      expect(existsSync(join(root, source)), source).toBe(true);
      expect(ignored).toContain(`!${source}`);
    }
  });

  it("sets only names that Parley knows", () => {
    const names = valuesOf("ENV").flatMap((value) =>
      [...value.matchAll(/([A-Z_]+)=/g)].map(([, name = ""]) => name),
    );
    expect(names.filter((name) => name !== "NODE_ENV" && !environmentNames.includes(name))).toEqual(
      [],
    );
  });

  it("checks its health by a script that Node can read", () => {
    const [check = ""] = valuesOf("HEALTHCHECK");
    const [command, flag, script = ""] = z
      .array(z.string())
      .parse(JSON.parse(check.slice(check.indexOf("["))));
    expect([command, flag]).toEqual(["node", "-e"]);
    expect(script).toContain("/readyz");
    expect(() => new Script(script)).not.toThrow();
  });
});

describe(".ci/run", () => {
  it("can be run, and runs the README's own test command, then the samples", () => {
    expect(statSync(join(root, ".ci/run")).mode & 0o111).not.toBe(0);
    const script = read(".ci/run");
    expect(script).toMatch(/^#!\/usr\/bin\/env bash\n/);
    expect(script).toContain("set -euo pipefail");
    expect(script.trimEnd().split("\n").slice(-2)).toEqual([
      "npm ci && npm test",
      "npm run test:samples",
    ]);
  });

  it("is what the workflow runs, with the checks", () => {
    const { jobs } = z
      .object({
        jobs: z.record(
          z.string(),
          z.object({
            "runs-on": z.string(),
            steps: z.array(z.object({ run: z.string().optional() })),
          }),
        ),
      })
      .parse(parse(read(".github/workflows/ci.yml")));
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual([".ci/run", "npm run check"]);
  });
});
