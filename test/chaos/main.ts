// All of it: `npm run chaos:kill`, then `npm run chaos:storm`, to which the arguments go. Ends with
// 1 where one of them did.
import { spawn } from "node:child_process";
import { once } from "node:events";

const suites: readonly (readonly [string, readonly string[]])[] = [
  ["chaos:kill", []],
  ["chaos:storm", process.argv.slice(2)],
];

async function run(name: string, given: readonly string[]): Promise<boolean> {
  const child = spawn("npm", ["run", "--silent", name, "--", ...given], {
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

const verdicts: string[] = [];
for (const [name, given] of suites) {
  console.log(`# ${name}`);
  const isGood = await run(name, given);
  verdicts.push(`${name}: ${isGood ? "as promised" : "NOT AS PROMISED"}`);
  if (!isGood) process.exitCode = 1;
}
console.log(["", ...verdicts].join("\n"));
