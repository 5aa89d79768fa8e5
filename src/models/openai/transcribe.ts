import { toFile } from "openai";
import { PermanentError } from "../../core/errors.ts";
import { sleep as realSleep, type Sleep } from "../../util/sleep.ts";
import { defaultRetry, retryDelayMs } from "../retry.ts";
import { connect, type OpenAiSettings } from "./client.ts";
import { openAiFailure } from "./failure.ts";

/** All attempts together: a local server may transcribe on a slow processor. Milliseconds. */
const limitMs = 180_000;

/** The endpoint recognises formats by the file's extension. */
const endings: Readonly<Record<string, string>> = {
  "audio/ogg": "ogg",
  "audio/opus": "ogg",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/mp4": "m4a",
  "audio/m4a": "m4a",
  "audio/x-m4a": "m4a",
  "audio/aac": "m4a",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/flac": "flac",
  "audio/webm": "webm",
  "video/webm": "webm",
  "video/mp4": "mp4",
};

interface Audio {
  readonly bytes: Uint8Array;
  /** E.g. `audio/ogg`. */
  readonly mediaType: string;
}

/**
 * The words of a recording.
 * @throws PermanentError whose message is for the operator's log; the signal's reason.
 */
export type Transcribe = (audio: Audio, signal: AbortSignal) => Promise<string>;

/**
 * Asks a server that has `POST {baseUrl}/audio/transcriptions`, as OpenAI documents it; again after
 * what may pass.
 */
export function createTranscriber(
  settings: OpenAiSettings & {
    /** The vendor's own name, e.g. `whisper-1`. */
    readonly model: string;
  },
  deps: {
    readonly fetch?: typeof fetch;
    readonly sleep?: Sleep;
    readonly random?: () => number;
  } = {},
): Transcribe {
  const { client, secrets } = connect(settings, deps.fetch);
  const { sleep = realSleep, random = Math.random } = deps;
  return async ({ bytes, mediaType }, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const essence = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    const name = `voice.${endings[essence] ?? "ogg"}`;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const file = await toFile(bytes, name, { type: essence });
        const said = await client.audio.transcriptions.create(
          { file, model: settings.model, response_format: "json" },
          { signal: limit },
        );
        if (typeof said.text !== "string") throw new TypeError("the answer has no text");
        return said.text;
      } catch (error) {
        signal.throwIfAborted();
        const failure = openAiFailure(error, { secrets, nowMs: Date.now() });
        const delayMs = retryDelayMs(failure, attempt, defaultRetry, random);
        if (delayMs === undefined || limit.aborted)
          throw new PermanentError(`${failure.kind}: ${failure.message}`, {
            cause: error,
          });
        await sleep(delayMs, limit).catch(() => undefined); // Aborted.
      }
    }
  };
}
