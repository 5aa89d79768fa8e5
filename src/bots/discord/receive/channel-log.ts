import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import type { GatewayMemory, KnownChannel } from "../gateway/memory.ts";
import { madeAtMs } from "./snowflake.ts";

const writeEveryMs = 1_000;

/**
 * Collects where the bot is spoken to and up to when that is durable, and writes it once per
 * second.
 */
export class ChannelLog {
  readonly #memory: Pick<GatewayMemory, "rememberChannels">;
  readonly #log: Logger;
  readonly #news = new Map<string, KnownChannel>();
  #timer: NodeJS.Timeout | undefined;
  #isWriting = false;

  constructor(memory: Pick<GatewayMemory, "rememberChannels">, log: Logger) {
    this.#memory = memory;
    this.#log = log;
  }

  /**
   * What this message or interaction said is durable, and so is everything before it in its
   * channel; if it is not, only the channel is remembered.
   */
  handled(
    event: {
      readonly id: string;
      readonly channel_id: string;
      readonly guild_id?: string | undefined;
    },
    isInOrder = true,
  ): void {
    const { id, channel_id: channelId, guild_id: guildId } = event;
    const handledAtMs = Math.max(
      isInOrder ? madeAtMs(id) : 0,
      this.#news.get(channelId)?.handledAtMs ?? 0,
    );
    const guild = guildId === undefined ? {} : { guildId };
    this.#news.set(channelId, { ...guild, channelId, handledAtMs });
    this.#timer ??= setTimeout(() => void this.write(), writeEveryMs).unref();
  }

  /** Never rejects. What could not be written is only asked for twice. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting || this.#news.size === 0) return;
    this.#isWriting = true;
    const channels = [...this.#news.values()];
    this.#news.clear();
    try {
      await this.#memory.rememberChannels(channels);
    } catch (failure) {
      const cause = messageOf(failure);
      this.#log.warn({ cause }, "channels were not remembered");
    } finally {
      this.#isWriting = false;
    }
  }
}
