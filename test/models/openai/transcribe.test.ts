import { describe, expect, it } from "vitest";
import { createTranscriber } from "../../../src/models/openai/transcribe.ts";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import type { HeardAudio, Transcriber } from "../../emulators/model/transcriptions.ts";

const bytes = Buffer.from("sound");
const signal = new AbortController().signal;
const apiKey = "sk-a-very-secret-key";

const start = (transcriber: Transcriber) => OpenAiServer.start({ apiKey, transcriber });

const client = ({ baseUrl }: OpenAiServer, settings: { apiKey?: string; model?: string } = {}) =>
  createTranscriber(
    { baseUrl, apiKey, model: "whisper-1", ...settings },
    { sleep: () => Promise.resolve(), random: () => 0 },
  );

describe("a voice note", () => {
  it.each([
    ["audio/ogg", "voice.ogg"],
    ["audio/ogg; codecs=opus", "voice.ogg"],
    ["audio/mpeg", "voice.mp3"],
    ["audio/x-m4a", "voice.m4a"],
    ["video/webm", "voice.webm"],
    ["nobody/knows", "voice.ogg"],
  ])("of type %s is sent as %s, and comes back as words", async (mediaType, fileName) => {
    const heard: HeardAudio[] = [];
    await using server = await start((audio) => {
      heard.push(audio);
      return "Hello there.";
    });
    expect(await client(server)({ bytes, mediaType }, signal)).toBe("Hello there.");
    expect(heard).toEqual([
      {
        model: "whisper-1",
        fileName,
        mediaType: mediaType.split(";")[0],
        bytes,
      },
    ]);
  });

  it("is sent again after what may pass, three times", async () => {
    let asked = 0;
    await using server = await start(() => {
      asked += 1;
      return asked < 4 ? { status: 503 } : "At last.";
    });
    const words = client(server)({ bytes, mediaType: "audio/ogg" }, signal);
    expect(await words).toBe("At last.");
    asked = -1;
    await expect(client(server)({ bytes, mediaType: "audio/ogg" }, signal)).rejects.toThrow(
      "overloaded",
    );
    expect(asked).toBe(3);
  });

  it("that the server does not take is not sent again, and no key is named", async () => {
    await using server = await start(() => "Hello");
    const audio = { bytes, mediaType: "audio/ogg" };
    await expect(client(server, { model: "nobody" })(audio, signal)).rejects.toThrow(
      /unknown-model: .*nobody/,
    );
    const wrong = client(server, { apiKey: "sk-wrong-key" })(audio, signal);
    await expect(wrong).rejects.toThrow(/^auth: (?!.*sk-wrong-key)/);
    expect(server.hits).toHaveLength(2);
  });

  it("that no one wants any more is not waited for", async () => {
    const abort = new AbortController();
    await using server = await start(() => {
      abort.abort(new Error("stopped"));
      return { status: 503 };
    });
    await expect(client(server)({ bytes, mediaType: "audio/ogg" }, abort.signal)).rejects.toThrow(
      "stopped",
    );
    expect(server.hits).toHaveLength(1);
  });
});
