import { ChildProcesses } from "../../../../src/tools/processes/child-processes.ts";

/*
 * node parent.ts <job>: says its child's process id and gives the child that job. Does nothing
 * about the child when it ends.
 */
const [, , input = ""] = process.argv;
const processes = new ChildProcesses();
const run = async (given: string): Promise<string> => {
  const outcome = await processes.run({
    work: {
      script: new URL("jobs.ts", import.meta.url),
      limitMs: 300,
      maxMemoryMb: 64,
    },
    input: () => given,
    person: "1",
    signal: new AbortController().signal,
  });
  return outcome.type === "done" ? outcome.text : outcome.type;
};

process.stdout.write(`${await run("pid")}\n`);
// Its own time limit would end the loop: it stops before that.
if (input === "loop") setImmediate(() => process.kill(process.pid, "SIGSTOP"));
if (input !== "") await run(input);
