/**
 * Puts what a command prints into its place in `bench/results/tables.md`: `npm run --silent
 * bench:fairness | npm run --silent bench:fill fairness`. What is not a Markdown table is kept as
 * it was printed.
 */
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { fillPage } from "./support/report.ts";
import { UsageError } from "./support/results.ts";

const page = fileURLToPath(new URL("results/tables.md", import.meta.url));

async function main([name, ...others]: readonly string[]): Promise<void> {
  if (name === undefined || others.length > 0)
    throw new UsageError("expected one name of a part of bench/results/tables.md");
  const printed = (await text(process.stdin)).trim();
  if (printed === "") throw new UsageError("nothing was printed");
  const isTable = /^\|.*\|$/m.test(printed);
  const content = isTable ? printed : `\`\`\`text\n${printed}\n\`\`\``;
  await fillPage(page, new Map([[name, content]]));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
