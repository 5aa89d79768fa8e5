import type { Problem } from "./problem.ts";
import { isBase64, isObject, problem } from "./problem.ts";

export function contentTypeProblem(content: unknown, path: string): Problem {
  const got = content === null || content === undefined ? "null" : typeof content;
  return problem(
    `${path.replace("[", ".[")}.content`,
    `Invalid value for 'content': expected a string, got ${got}.`,
  );
}

/** A string, or a non-empty list of text parts. */
export function textProblems(content: unknown, path: string): Problem[] {
  if (typeof content === "string") return [];
  if (!Array.isArray(content)) return [contentTypeProblem(content, path)];
  return partProblems(content, path, ["text"]);
}

export function userContentProblems(content: unknown, path: string): Problem[] {
  if (typeof content === "string") return [];
  if (!Array.isArray(content)) return [contentTypeProblem(content, path)];
  return partProblems(content, path, ["text", "image_url"]);
}

export function partProblems(
  parts: readonly unknown[],
  path: string,
  allowed: readonly string[],
): Problem[] {
  if (parts.length === 0) {
    return [
      problem(
        `${path}.content`,
        `Invalid '${path}.content': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        "empty_array",
      ),
    ];
  }
  return parts.flatMap((part, index) => {
    const partPath = `${path}.content[${index}]`;
    const type = isObject(part) ? part["type"] : undefined;
    if (!isObject(part) || typeof type !== "string" || !allowed.includes(type)) {
      return [
        problem(
          `${partPath}.type`,
          `Invalid value: '${String(type)}'. Supported values are: ${allowed.map((name) => `'${name}'`).join(", ")}.`,
          "invalid_value",
        ),
      ];
    }
    if (type === "refusal" || type === "text") {
      return typeof part[type] === "string"
        ? []
        : [
            problem(
              `${partPath}.${type}`,
              `Missing required parameter: '${partPath}.${type}'.`,
              "missing_required_parameter",
            ),
          ];
    }
    return imageProblems(part["image_url"], `${partPath}.image_url`);
  });
}

function imageProblems(image: unknown, path: string): Problem[] {
  const url = isObject(image) ? image["url"] : undefined;
  if (typeof url !== "string") {
    return [
      problem(path, `Invalid type for '${path}': expected an object with a 'url'.`, "invalid_type"),
    ];
  }
  const data = /^data:image\/(?:png|jpeg|gif|webp);base64,(.*)$/s.exec(url);
  const valid = data === null ? /^https?:\/\/\S+$/.test(url) : isBase64(data[1] ?? "");
  return valid
    ? []
    : [
        problem(
          `${path}.url`,
          `Invalid '${path}.url'. Expected a http(s) address or a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=').`,
          "invalid_value",
        ),
      ];
}
