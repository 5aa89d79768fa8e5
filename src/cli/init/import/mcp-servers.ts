import { environmentNames } from "../../../config/environment.ts";
import { presets } from "../../../config/file-models.ts";
import { isSecretPath, mask } from "../../../config/problems.ts";
import { searchProviders } from "../../../tools/web-search/providers.ts";
import type { Report } from "./report.ts";
import { keyWithSecret } from "./server-secrets.ts";
import { secretProblem, variableIn } from "./secret-objects.ts";
import { hasStrayReference, mappingOf, reference, strayProblem, textOf } from "./source-folder.ts";
import { withoutDefaults, withValues, type Mapping } from "./source-folder.ts";

interface Server {
  readonly report: Report;
  /** As the report calls it. */
  readonly what: string;
  /** Its name in `parley.yaml`. */
  readonly name: string;
  readonly env: Mapping;
  /** Names of `env` whose values were taken. */
  readonly used: Set<string>;
}

/**
 * Takes MCP servers over.
 * @param from.where the key that has them
 * @param from.env values that they refer to as `${NAME}`, which go along
 * @returns the names of the values that went along
 */
export function takeServers(
  report: Report,
  servers: Mapping,
  { where, env }: { readonly where: string; readonly env: Mapping },
): ReadonlySet<string> {
  const used = new Set<string>();
  const names = new Set<string>();
  for (const [given, value] of Object.entries(servers)) {
    const server = {
      report,
      what: `${where}.${given}`,
      name: given.replaceAll(/[^A-Za-z0-9_-]/g, "_"),
      env,
      used,
    };
    const entry = inOurSyntax(mappingOf(value), env);
    const problem = names.has(server.name)
      ? `another server is called ${server.name} in parley.yaml already`
      : problemOf(entry);
    if (problem !== undefined) {
      report.leave(server.what, problem);
      continue;
    }
    names.add(server.name);
    takeServer(entry, server);
  }
  return used;
}

/** References and secrets as `parley.yaml` writes them; what it can't say stays as it is. */
function inOurSyntax(entry: Mapping, env: Mapping): Mapping {
  const read = (value: unknown): unknown =>
    typeof value === "string" ? withoutDefaults(value, env) : (variableIn(value) ?? value);
  return eachValue(entry, (value, key) =>
    Array.isArray(value)
      ? value.map(read)
      : isNamed(key)
        ? eachValue(mappingOf(value), read)
        : read(value),
  );
}

const eachValue = (values: Mapping, change: (value: unknown, key: string) => unknown): Mapping =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));

/** Whose values have names of their own. */
const isNamed = (key: string): boolean => key === "env" || key === "headers";

const isProgram = (entry: Mapping): boolean => textOf(entry["command"]) !== undefined;

const keysOf = (entry: Mapping): readonly string[] =>
  isProgram(entry) ? ["command", "args", "env"] : ["url", "headers"];

/** Why a server can't be taken over. */
function problemOf(entry: Mapping): string | undefined {
  if (entry["enabled"] === false || entry["disabled"] === true) return "it is switched off there";
  // Without one of its arguments, the others would have another meaning.
  const missing = ["command", "args", "url"]
    .flatMap((key) => entry[key] ?? [])
    .find((value) => typeof value === "object");
  if (missing !== undefined) return secretProblem(missing) ?? "one of its arguments isn't a text";
  if (!isProgram(entry) && textOf(entry["url"]) === undefined)
    return "it has neither a command nor a url";
  const texts = keysOf(entry).map((key) => JSON.stringify(entry[key] ?? ""));
  if (texts.some(hasStrayReference)) return strayProblem;
  const secret = keyWithSecret(entry, isProgram(entry) ? ["command", "args"] : ["url"]);
  return secret === undefined
    ? undefined
    : `its ${secret} seems to hold a secret; put that into .env, and the server with \${NAME} into parley.yaml`;
}

function takeServer(entry: Mapping, server: Server): void {
  const { report, what, name } = server;
  const keys = keysOf(entry);
  for (const key of keys) {
    if (entry[key] === undefined) continue;
    report.changes.push({
      path: ["mcp", "servers", name, key],
      value: isNamed(key)
        ? withoutSecrets(mappingOf(entry[key]), { ...server, what: `${what}.${key}` })
        : withOwnNames(entry[key], server),
      comment: "Programs and servers whose tools the model may use. Each call asks first.",
    });
  }
  report.taken.push(`${what} → mcp.servers.${name}`);
  const others = Object.keys(entry).filter((key) => ![...keys, "enabled", "type"].includes(key));
  for (const key of others)
    report.leave(`${what}.${key}`, "MCP servers in parley.yaml have no such key; see docs/mcp.md");
}

/** Keys and tokens become `${MCP_…}`, whose values go to `.env`. */
function withoutSecrets(values: Mapping, server: Server): Mapping {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (typeof value === "object") {
        server.report.leave(`${server.what}.${key}`, secretProblem(value) ?? "it isn't a text");
        return [];
      }
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const isReference = /^(?:(?:bearer|basic) )?\$\{\w+\}$/i.test(text);
      return isReference || (!isSecretPath([key]) && mask(text) === text)
        ? [[key, withOwnNames(text, server)]]
        : [[key, `\${${secretVariable(key, text, server)}}`]];
    }),
  );
}

/** References in the text are replaced: `.env` has none. */
function secretVariable(key: string, text: string, server: Server): string {
  const { env, used } = server;
  const names = [...text.matchAll(reference)].map(([, name = ""]) => name);
  const unset = names.find((name) => textOf(env[name]) === undefined);
  const variable = ownVariable(
    key,
    unset === undefined ? withValues(text, env) : undefined,
    server,
  );
  if (unset === undefined) for (const name of names) used.add(name);
  else leaveUnset(`${server.what}.${key}`, { unset, variable }, server);
  return variable;
}

/** With the variables that it refers to, under the names that they have in `.env`. */
const withOwnNames = (value: unknown, server: Server): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(
      reference,
      (_, name: string) => `\${${variableOf(name, server)}}`,
    ),
  );

function variableOf(name: string, server: Server): string {
  const { report, what, env, used } = server;
  const value = textOf(env[name]);
  if (value !== undefined) used.add(name);
  // Without a value of its own it may be one that both bots' environments have, such as HOME.
  const isHereAlready = value !== undefined && ![undefined, value].includes(report.valueHere(name));
  if (!isParleys(name) && !isHereAlready && isFree(report, name, value)) {
    report.secret(name, value);
    return name;
  }
  const variable = ownVariable(name, value, server);
  if (value === undefined) leaveUnset(what, { unset: name, variable }, server);
  return variable;
}

/** Variables that Parley reads, or that `init` asks for: a server's must not change Parley's. */
const isParleys = (name: string): boolean =>
  /^(?:PARLEY|OTEL)_/.test(name) || environmentNames.includes(name) || keyNames.has(name);

const keyNames: ReadonlySet<string> = new Set(
  [presets, searchProviders].flatMap((servers) =>
    Object.keys(servers).map((name) => `${name.toUpperCase()}_API_KEY`),
  ),
);

/** A server that refers to a name with another value would be sent a secret that isn't its own. */
const isFree = ({ secrets }: Report, name: string, value: string | undefined): boolean =>
  !Object.hasOwn(secrets, name) || secrets[name] === value;

/** The name of a variable that is only this server's. */
function ownVariable(
  key: string,
  value: string | undefined,
  { report, name: server }: Server,
): string {
  const wanted = `MCP_${server}_${key}`.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  let variable = wanted;
  for (let count = 2; !isFree(report, variable, value); count += 1) variable = `${wanted}_${count}`;
  report.secret(variable, value);
  return variable;
}

function leaveUnset(
  what: string,
  { unset, variable }: { readonly unset: string; readonly variable: string },
  { report }: Server,
): void {
  report.leave(what, `${unset} isn't set there; set ${variable} in .env`);
}
