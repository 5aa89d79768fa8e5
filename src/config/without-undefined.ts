type Present<Given> = {
  [Key in keyof Given]?: Exclude<Given[Key], undefined>;
};

/** Only the keys that hold something: what is absent hides nothing when it is spread over defaults. */
export function withoutUndefined<Given extends object>(
  given: Given,
): Present<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Present<Given>;
}
