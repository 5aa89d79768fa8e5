import {
  hasImages,
  type ModelCard,
  type RequestImage,
  type RequestMessage,
} from "../core/model.ts";

const hiddenImage = "[image: not visible to this model]";

/** The image types that every vendor's vision models accept. */
const knownTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * The same messages, a line of text in the place of every image that the model cannot see. Where it
 * sees none of a round's images, one line joins the last result. Pure.
 */
export function withVisibleImages(
  messages: readonly RequestMessage[],
  card: ModelCard,
): { readonly messages: readonly RequestMessage[]; readonly hidden: number } {
  if (!messages.some(hasImages)) return { messages, hidden: 0 };
  let hidden = 0;
  const seen: RequestMessage[] = [];
  for (const message of messages) {
    if (message.role !== "user" || !message.images?.length) {
      seen.push(message);
      continue;
    }
    const { images, ...rest } = message;
    const visible = images.filter((image) => isVisible(image, card));
    const lines = Array<string>(images.length - visible.length).fill(hiddenImage);
    hidden += lines.length;
    const last = seen.at(-1);
    if (message.ofResults && visible.length === 0 && last?.role === "tool") {
      seen.splice(-1, 1, { ...last, text: `${last.text}\n${hiddenImage}` });
      continue;
    }
    const text = [...(rest.text === "" ? [] : [rest.text]), ...lines].join("\n");
    seen.push(visible.length === 0 ? { ...rest, text } : { ...rest, text, images: visible });
  }
  return { messages: seen, hidden };
}

function isVisible({ mediaType, data }: RequestImage, card: ModelCard): boolean {
  return card.vision && knownTypes.has(mediaType) && data !== "";
}

export function dataUrl({ mediaType, data }: RequestImage): string {
  return `data:${mediaType};base64,${data}`;
}
