/**
 * The functions that an expression may use. All of mathjs' others stay out: those that take or make
 * code (`evaluate`, `parse`, `simplify`, `derivative`, `import`, `createUnit` …), those that make
 * something as large as a number says (`zeros`, `range`, `kron`, `resize` …), random ones (a call
 * is `read`: it may be repeated), and those that are wrong for big numbers (`isPrime`). Each of
 * these takes numbers, units or matrices that are written out.
 */
export const allowedFunctions: ReadonlySet<string> = new Set(
  `abs ceil floor round fix sign sqrt cbrt nthRoot square cube exp expm1 log log2 log10 log1p pow hypot mod gcd lcm
   add subtract multiply divide unaryMinus factorial gamma combinations permutations
   sin cos tan sec csc cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh
   min max sum prod mean median mode std variance mad quantileSeq cumsum count
   det inv transpose trace dot cross norm re im conj arg complex to not
   bitAnd bitOr bitXor bitNot`.split(/\s+/),
);

/**
 * Names of numbers and physical constants, besides units and the expression's
 * own variables.
 */
export const allowedConstants: ReadonlySet<string> = new Set(
  `pi tau e phi i PI E
   speedOfLight gravitationConstant planckConstant reducedPlanckConstant magneticConstant electricConstant
   elementaryCharge bohrMagneton fineStructure rydberg electronMass protonMass neutronMass deuteronMass atomicMass
   avogadro boltzmann faraday gasConstant molarVolume stefanBoltzmann gravity molarMass atm`.split(
    /\s+/,
  ),
);

/** Units that share their name with a function or a constant, by another of their names. */
export const clearNames: Readonly<Record<string, string>> = {
  min: "minute",
  sec: "second",
  coulomb: "C",
  chain: "chains",
};

/** Signs that people write and mathjs does not know. */
const spellings: Readonly<Record<string, string>> = {
  "×": "*",
  "·": "*",
  "⋅": "*",
  "÷": "/",
  "−": "-",
  "–": "-",
  "≤": "<=",
  "≥": ">=",
  "≠": "!=",
  "²": "^2",
  "³": "^3",
  π: " pi ",
  "°C": " degC ",
  "°F": " degF ",
  "°": " deg ",
  "\u00a0": " ",
  "\u202f": " ",
};

export const respelt = (expression: string): string =>
  expression.replaceAll(/°[CF]|[^\u0020-\u007e]/g, (sign) => spellings[sign] ?? sign);
