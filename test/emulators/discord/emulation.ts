import type { Changes } from "./changes.ts";
import type { CommandRegistry } from "./commands.ts";
import type { Gateway } from "./gateway/gateway.ts";
import type { Interactions } from "./interactions.ts";
import type { Messages } from "./messages.ts";
import type { Options } from "./options.ts";
import type { Recorder } from "./recorder.ts";
import type { World } from "./world.ts";

/** The parts of one emulated Discord, joined by `DiscordServer`. */
export interface Emulation {
  readonly options: Options;
  readonly token: string;
  readonly world: World;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly commands: CommandRegistry;
  readonly gateway: Gateway;
  readonly recorder: Recorder;
  readonly changes: Changes;
}
