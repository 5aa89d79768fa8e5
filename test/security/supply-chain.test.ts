import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    allowScripts: z.record(z.string(), z.boolean()),
    dependencies: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read("package.json")));

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({
        license: z.string().optional(),
        integrity: z.string().optional(),
        dev: z.boolean().optional(),
        optional: z.boolean().optional(),
        hasInstallScript: z.boolean().optional(),
      }),
    ),
  })
  .parse(JSON.parse(read("package-lock.json")));

/** Every package of the lock file but our own, by its name. */
const locked = Object.entries(lock.packages).flatMap(([path, entry]) =>
  path === "" ? [] : [{ ...entry, path, name: path.split("node_modules/").at(-1) ?? "" }],
);
const inProduction = locked.filter(({ dev }) => dev !== true);

/**
 * Licences under which anybody may run, change and pass on what is installed, and that ask no more
 * than to be named.
 */
const allowed: ReadonlySet<string> = new Set([
  "MIT",
  "ISC",
  "0BSD",
  "Apache-2.0",
  // As htmx writes 0BSD.
  "BSD-0-Clause",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "(MIT OR Apache-2.0)",
]);

/** The lock file tells no licence of these: binaries of another package, which has one. */
const binariesOf = (name: string): string =>
  name.startsWith("@msgpackr-extract/") ? "msgpackr-extract" : name;

const licenceOf = (name: string): string | undefined => {
  const own = locked.find((each) => each.name === name)?.license;
  const parent = binariesOf(name);
  return own ?? locked.find((each) => each.name === parent)?.license;
};

/** The packages that a table in docs/internals/dependencies.md names, each with its reason. */
function reasons(heading: string): ReadonlyMap<string, string> {
  const page = read("docs/internals/dependencies.md");
  const from = page.indexOf(`| ${heading}`);
  const to = page.indexOf("\n\n", from);
  const rows = page.slice(from, to).split("\n").slice(2);
  return new Map(
    rows.flatMap((row) => {
      const [, names = "", why = ""] = row.split("|");
      const [first = ""] = /@[\w-]+\//.exec(names) ?? [];
      return [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => [
        name.replace("…/", first),
        why.trim(),
      ]);
    }),
  );
}

describe("dependencies", () => {
  it.each([
    ["package", manifest.dependencies],
    ["optional package", manifest.optionalDependencies],
    ["development package", manifest.devDependencies],
  ])("are each listed with a reason: %s", (heading, given) => {
    const found = reasons(`${heading} `);
    expect([...found.keys()].toSorted()).toEqual(Object.keys(given).toSorted());
    for (const [name, why] of found) expect(why.length, name).toBeGreaterThan(3);
  });

  it("are few", () => {
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(32);
    expect(inProduction.length).toBeLessThanOrEqual(250);
  });

  it("have licences that ask no more than to be named, in all of the production tree", () => {
    expect(inProduction.length).toBeGreaterThan(100);
    const others = inProduction
      .map(({ name }) => ({ name, licence: licenceOf(name) }))
      .filter(({ licence = "none" }) => !allowed.has(licence));
    expect(others).toEqual([]);
  });

  it("are installed as they say themselves", () => {
    for (const name of Object.keys(manifest.dependencies)) {
      const { license } = JSON.parse(read(`node_modules/${name}/package.json`)) as {
        license?: string;
      };
      expect(license, name).toBe(licenceOf(name));
    }
  });

  it("run no script when they are installed but those that are named", () => {
    const withScripts = new Set(
      locked.flatMap(({ hasInstallScript, name }) => (hasInstallScript === true ? [name] : [])),
    );
    expect(withScripts).toEqual(new Set(Object.keys(manifest.allowScripts)));
    const inUse = inProduction.filter(({ name }) => manifest.allowScripts[name]);
    expect(inUse).toEqual([]);
  });

  it("are locked by the digest of what they hold, wherever they come from", () => {
    // npm writes none for other machines' binaries that it has never met.
    const known = locked.filter(
      ({ optional, integrity }) => optional !== true || integrity !== undefined,
    );
    expect(known.length).toBeGreaterThan(0.8 * locked.length);
    for (const { path, integrity } of known)
      expect(integrity, path).toMatch(/^sha512-[\w+/]+={0,2}$/);
    expect(JSON.stringify(lock)).not.toMatch(/"resolved"|https?:[^"]*\.tgz/);
  });

  it("can be audited by one command, their signatures included", () => {
    expect(manifest.scripts["audit"]).toBe("npm audit --omit=dev && npm audit signatures");
  });
});
