import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { SettingsError } from "../../src/config/problems.ts";
import { findUser } from "../../src/config/system-user.ts";

const workingFolder = mkdtempSync(join(tmpdir(), "parley-user-"));
afterAll(() => rm(workingFolder, { recursive: true }));

type Role = "all" | "worker" | "bots";
const read = (user: unknown, more: object = { command: "x" }, role?: Role) => {
  // JSON is YAML.
  const config = { mcp: { servers: { a: { ...more, user } } } };
  writeFileSync(join(workingFolder, "parley.yaml"), JSON.stringify(config));
  const { mcpServers } = loadSettings({
    environment: {
      OPENAI_API_KEY: "test-key",
      OPENAI_MODEL: "gpt-test",
      REDIS_URL: "redis://127.0.0.1",
      ...(role && { PARLEY_ROLE: role }),
    },
    workingFolder,
  });
  return mcpServers["a"];
};
const problems = (...given: Parameters<typeof read>) => {
  try {
    read(...given);
  } catch (error) {
    if (error instanceof SettingsError)
      return error.problems.map(({ where: path, expected }) => [
        path.replace(" (parley.yaml)", ""),
        expected,
      ]);
    throw error;
  }
  return undefined;
};

const as = (uid: number) => vi.spyOn(process, "getuid").mockReturnValue(uid);
afterEach(() => vi.restoreAllMocks());

const where = "mcp.servers.a.user";
const refused = [
  [
    where,
    "expected the name or number of a user in /etc/passwd other than root; Parley itself must run as root, on Linux",
  ],
];

describe.runIf(process.platform === "linux")("the user of a program", () => {
  it("is found by name and by number", () => {
    as(0);
    const daemon = findUser("daemon");
    expect(daemon).toMatchObject({ name: "daemon", uid: 1, gid: 1 });
    for (const user of ["daemon", "1", 1]) expect(read(user)).toMatchObject({ user: daemon });
    expect(read(undefined)).not.toHaveProperty("user");
  });

  it.each([["nobody-of-this-name"], ["root"], [0], ["0"]])("%j refuses the start", (user) => {
    as(0);
    expect(problems(user)).toEqual(refused);
  });

  it.each([[""], [["daemon"]], [true]])("is not %j", (user) => {
    as(0);
    for (const role of ["all", "bots"] as const)
      expect(problems(user, undefined, role)).toEqual([
        [where, "expected a user's name or number"],
      ]);
  });

  it.each(["all", "worker"] as const)(
    "is refused where Parley can't start a program as somebody else, as %s",
    (role) => {
      as(1000);
      expect(problems("daemon", undefined, role)).toEqual(refused);
    },
  );

  it("doesn't matter to a process that starts no servers", () => {
    as(1000);
    for (const user of ["daemon", "nobody-of-this-name"])
      expect(read(user, undefined, "bots")).toMatchObject({ command: "x" });
  });

  it("is for programs only", () => {
    as(0);
    expect(problems("daemon", { url: "https://a.example/mcp" })).toEqual([
      ["mcp.servers.a", "expected either command (with args and env) or url (with headers)"],
    ]);
  });
});
