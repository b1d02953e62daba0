/** Bounds of a call's output. */
export interface OutputLimits {
  /** Limit over all candidates; `undefined` for no limit. */
  readonly maxOutputTokens: number | undefined
  /** Number of candidates that may be charged. */
  readonly candidates: number
}

type Fields = Readonly<Record<string, unknown>>

const limitNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'] as const
const candidateNames = ['n', 'best_of', 'candidate_count', 'candidateCount'] as const
/** Gemini's settings, in either spelling. An override replaces them completely. */
const settingsNames = ['generationConfig', 'generation_config'] as const

/** Changes of a channel to the bodies of its calls, as far as they may concern their output. */
export interface OverrideOfLimits {
  readonly fields: Fields
  readonly operations: readonly LimitOperation[]
}

interface LimitOperation {
  readonly mode: string
  readonly path: readonly string[]
  /** Path that is empty after a `move`. */
  readonly source: readonly string[]
  readonly value: unknown
}

/**
 * The limits of a call whose body a channel's `param_override` changes, for its reservation: never below what the upstream
 * will read. An override that takes a limit away, or sets it to none (0, `null`), leaves no limit. Whether an operation will
 * be done is not known before: the dearer counts.
 */
export function limitsAfterOverride(
  limits: OutputLimits,
  override: OverrideOfLimits | null | undefined,
): OutputLimits {
  if (override === null || override === undefined) return limits
  const parts = override.operations.flatMap(limitsSetBy)
  return parts.reduce(
    (worstCase, part) => costlier(worstCase, limitsAfterFields(worstCase, part)),
    limitsAfterFields(limits, override.fields),
  )
}

function costlier(a: OutputLimits, b: OutputLimits): OutputLimits {
  const candidates = Math.max(a.candidates, b.candidates)
  const isUnlimited = a.maxOutputTokens === undefined || b.maxOutputTokens === undefined
  const maxOutputTokens = isUnlimited ? undefined : Math.max(a.maxOutputTokens ?? 0, b.maxOutputTokens ?? 0)
  return { maxOutputTokens, candidates }
}

/** An operation as an override of the limits that it sets or takes away. */
function limitsSetBy({ mode, path, source, value }: LimitOperation): readonly Fields[] {
  const set = mode === 'set' ? value : null
  return [
    source.length > 0 && mode === 'move' ? { [source.at(-1) ?? '']: null } : {},
    { [path.at(-1) ?? '']: set },
  ]
}

function limitsAfterFields(limits: OutputLimits, override: Fields): OutputLimits {
  const fields = [override, ...settingsNames.flatMap((name) => settingsIn(override[name]))]
  const limitsSet = fields.flatMap((part) => valuesOf(part, limitNames))
  const limit = Math.max(0, ...limitsSet.map(positive))
  const isReplaced = limitsSet.length > 0 || settingsNames.some((name) => override[name] !== undefined)
  // A list of prompts has that many candidates for each of them, so both factors count.
  const responses = Math.max(1, ...fields.flatMap((part) => valuesOf(part, candidateNames)).map(positive))
  const candidates = limits.candidates * responses
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

/** The value as a limit; 0 for an invalid one. Texts count: some upstreams read them as numbers. */
function positive(value: unknown): number {
  const limit = Number(value)
  return limit > 0 && limit < Number.POSITIVE_INFINITY ? limit : 0
}
