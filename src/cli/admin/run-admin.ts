import type { Writable } from "node:stream";
import { pino } from "pino";
import { PermanentError } from "../../core/errors.ts";
import { noMetrics } from "../../core/metrics.ts";
import { openOperatorStore, type OperatorStoreOptions } from "../operator-store.ts";
import { openPrinter } from "../printer.ts";
import { createServices } from "../../services.ts";
import type { AdminCommand } from "./admin-command.ts";
import { adminCommands, adminUsage } from "./commands.ts";

export interface AdminOptions extends OperatorStoreOptions {
  /** The arguments after `admin`. */
  readonly arguments: readonly string[];
  /** Base of relative paths. */
  readonly workingFolder: string;
  /** Writes the output. */
  readonly output: Writable;
}

/**
 * Runs one sub-command of `npm run admin`. False when it could not be done; it was said why.
 * @throws PermanentError for arguments and settings that can't be used.
 * @throws RetryableError when Redis does not answer.
 */
export async function runAdmin(options: AdminOptions): Promise<boolean> {
  const [name, ...given] = options.arguments;
  const printer = openPrinter(options.output);
  if (name === undefined) {
    await printer.print(usageOfAll());
    return false;
  }
  const command = adminCommands.find((each) => each.name === name);
  if (command === undefined)
    throw new PermanentError(`There is no admin command "${name}".\n\n${usageOfAll()}`);
  return await runOn(options, command, given);
}

const usageOfAll = (): string => adminUsage() ?? "";

async function runOn(
  options: AdminOptions,
  command: AdminCommand,
  given: readonly string[],
): Promise<boolean> {
  const { settings, say, signal, workingFolder } = options;
  await using parts = new AsyncDisposableStack();
  const store = await openOperatorStore(options, parts);
  if (store === undefined) {
    say(`Nothing is stored in ${settings.dataFolder} yet.`);
    return false;
  }
  // An operator reads sentences, not log lines: what fails is thrown.
  const services = createServices(
    settings,
    { log: pino({ level: "silent" }), metrics: noMetrics },
    store,
  );
  parts.use(services.waker);
  const printer = openPrinter(options.output);
  const context = { services, printer, say, workingFolder, signal };
  return await command.run(context, given);
}
