import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { freshLists, systemLists } from "../../../src/store/embedded/apt-lists.ts";
import { waitForFolderLock } from "../../../src/store/embedded/folder-lock.ts";
import { sharedDataFolder } from "../redis/redis-binary.ts";
import { at } from "../shown-by.ts";

const run = promisify(execFile);
const home = join(sharedDataFolder, "promtool");
const program = join(home, "usr/bin/promtool");

/** The file of alert rules. */
export const rulesFile = at("deploy/prometheus/alerts.yml").pathname;

/**
 * Debian's promtool, unpacked into `data` and kept for the next run: nothing is installed. The one
 * on the PATH is preferred.
 */
async function promtool(): Promise<string> {
  const installed = await run("promtool", ["--version"]).then(
    () => "promtool",
    () => undefined,
  );
  if (installed !== undefined) return installed;
  await mkdir(sharedDataFolder, { recursive: true });
  await using _ = await waitForFolderLock(join(sharedDataFolder, "promtool-lock"));
  if (!existsSync(program)) await fetchPromtool();
  return program;
}

async function fetchPromtool(): Promise<void> {
  const work = await mkdtemp(join(sharedDataFolder, ".promtool-"));
  try {
    const root = join(work, "root");
    await mkdir(root);
    const options = {
      installs: work,
      environment: process.env,
      log: (line: string) => void process.stderr.write(`${line}\n`),
    };
    await systemLists(options)
      .unpack(["prometheus"], root)
      .catch(async () => {
        const lists = await freshLists(options, join(work, "apt"));
        return await lists.unpack(["prometheus"], root);
      });
    await rename(root, home);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** What it says. @throws its complaint */
export async function runPromtool(...given: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(await promtool(), given);
  return `${stdout}${stderr}`;
}

/** A series by its name and labels as Prometheus writes it, and its values in promtool's notation. */
export type InputSeries = Readonly<Record<string, string>>;

/**
 * Checks with promtool that exactly these alerts fire after so many minutes of series with a value
 * each minute. @throws what promtool finds instead
 */
export async function expectAlerts(
  series: InputSeries,
  { firing, afterMinutes }: { readonly firing: readonly string[]; readonly afterMinutes: number },
): Promise<void> {
  const folder = await mkdtemp(join(sharedDataFolder, ".rules-"));
  try {
    const file = join(folder, "test.yml");
    const test = {
      interval: "1m",
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"}) > bool 0',
          eval_time: `${afterMinutes}m`,
          exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        },
      ],
    };
    const tests = { rule_files: [rulesFile], evaluation_interval: "1m", tests: [test] };
    await writeFile(file, stringify(tests));
    await runPromtool("test", "rules", file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
