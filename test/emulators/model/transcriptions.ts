import type { IncomingMessage, ServerResponse } from "node:http";
import { sendJson } from "./http-emulator.ts";
import { openAiError } from "./openai-errors.ts";

/** What came with one request. */
export interface HeardAudio {
  readonly model: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The words, or a status that is answered instead. */
export type Transcriber = (audio: HeardAudio) => string | { readonly status: number };

const models = new Set(["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"]);
const formats = "flac m4a mp3 mp4 mpeg mpga oga ogg wav webm".split(" ");

/** `POST /v1/audio/transcriptions`, with the answers that OpenAI gives to what it does not take. */
export async function transcribe(
  incoming: IncomingMessage,
  response: ServerResponse,
  transcriber: Transcriber,
): Promise<void> {
  const refuse = (message: string, param: string | null = null): void =>
    sendJson(response, 400, openAiError({ message, param }));
  const form = await formOf(incoming);
  const file = form?.get("file");
  const model = form?.get("model");
  const format = form?.get("response_format") ?? "json";
  if (form === undefined) return refuse("Could not parse multipart form");
  if (typeof model !== "string") return refuse("you must provide a model parameter", "model");
  if (!models.has(model))
    return sendJson(
      response,
      404,
      openAiError({
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
        code: "model_not_found",
      }),
    );
  if (!(file instanceof File)) return refuse("expected a file, but got a string", "file");
  if (!formats.includes(file.name.split(".").at(-1) ?? ""))
    return refuse(`Invalid file format. Supported formats: ['${formats.join("', '")}']`);
  if (format !== "json") return refuse("another response_format is not emulated");
  if (file.size === 0)
    return refuse("Audio file is too short. Minimum audio length is 0.1 seconds.", "file");
  const said = transcriber({
    model,
    fileName: file.name,
    mediaType: file.type,
    bytes: Buffer.from(await file.arrayBuffer()),
  });
  if (typeof said === "string") sendJson(response, 200, { text: said });
  else
    sendJson(
      response,
      said.status,
      openAiError({
        message: "The server had an error while processing your request.",
        type: "server_error",
      }),
    );
}

async function formOf(incoming: IncomingMessage): Promise<FormData | undefined> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const type = incoming.headers["content-type"] ?? "";
  try {
    return await new Response(Buffer.concat(pieces), {
      headers: { "content-type": type },
    }).formData();
  } catch {
    return undefined;
  }
}
