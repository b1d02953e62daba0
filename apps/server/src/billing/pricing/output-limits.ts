/** What bounds the output of a call. */
export interface OutputLimits {
  /** Limit over all candidates; `undefined` when there is none. */
  readonly maxOutputTokens: number | undefined
  /** How many answers may be charged. */
  readonly candidates: number
}

type Fields = Readonly<Record<string, unknown>>

const limitNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'] as const
const candidateNames = ['n', 'best_of', 'candidate_count', 'candidateCount'] as const
/** Gemini's settings, in either spelling. An override replaces them whole. */
const settingsNames = ['generationConfig', 'generation_config'] as const

/**
 * The limits of a call whose body a channel's `param_override` changes, for its reservation: never below what the upstream
 * will read. An override that takes a limit away, or sets it to none (0, `null`), leaves no limit.
 */
export function limitsAfterOverride(limits: OutputLimits, override: Fields | null | undefined): OutputLimits {
  if (override === null || override === undefined) return limits
  const fields = [override, ...settingsNames.flatMap((name) => settingsIn(override[name]))]
  const limitsSet = fields.flatMap((part) => valuesOf(part, limitNames))
  const limit = Math.max(0, ...limitsSet.map(positive))
  const isReplaced = limitsSet.length > 0 || settingsNames.some((name) => override[name] !== undefined)
  // A list of prompts has as many answers for each of them, so that both factors count.
  const answers = Math.max(1, ...fields.flatMap((part) => valuesOf(part, candidateNames)).map(positive))
  const candidates = limits.candidates * answers
  if (limit === 0 && (isReplaced || limits.maxOutputTokens === undefined))
    return { maxOutputTokens: undefined, candidates }
  // The override may set another of the names than the caller did: the larger counts.
  const perCandidate = Math.max(limit, (limits.maxOutputTokens ?? 0) / Math.max(1, limits.candidates))
  return { maxOutputTokens: Math.ceil(perCandidate * candidates), candidates }
}

function settingsIn(value: unknown): readonly Fields[] {
  return typeof value === 'object' && value !== null ? [value as Fields] : []
}

function valuesOf(fields: Fields, names: readonly string[]): readonly unknown[] {
  return names.filter((name) => Object.hasOwn(fields, name)).map((name) => fields[name])
}

/** The value as a limit; 0 for what is none. Texts count: some upstreams read them as numbers. */
function positive(value: unknown): number {
  const limit = Number(value)
  return limit > 0 && limit < Number.POSITIVE_INFINITY ? limit : 0
}
