type Present<Given> = {
  [Key in keyof Given]?: Exclude<Given[Key], undefined>;
};

/** Only the defined keys, so that undefined ones don't override defaults when spread. */
export function withoutUndefined<Given extends object>(given: Given): Present<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Present<Given>;
}
