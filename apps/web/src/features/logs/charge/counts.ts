import type { LogEntry, LogOther } from '@tollgate/api'
import { type Decimal, multiply } from '@tollgate/base/decimal'
import { decimal } from './decimal.ts'

/** Kinds of counts, in reading order. */
export type LineKind =
  | 'input'
  | 'cached'
  | 'cacheCreation'
  | 'cacheCreation1h'
  | 'audioInput'
  | 'imageInput'
  | 'output'
  | 'audioOutput'
  | 'imageOutput'

/** Tokens of one kind with what one counts in input tokens. */
export interface Count {
  readonly kind: LineKind
  readonly tokens: number
  readonly ratio: Decimal
}

type CountedEntry = Pick<LogEntry, 'prompt_tokens' | 'completion_tokens'>

/**
 * Returns the readings of the row's counts, likeliest first. Cached tokens are part of the prompt count, except in rows of gateways
 * that counted Anthropic's way; those are marked and lack the sum of all input, but a mark alone is not proof.
 */
export function countsOf(entry: CountedEntry, other: LogOther): readonly (readonly Count[])[] {
  const { cache_tokens: cached = 0, cache_creation_tokens: created = 0 } = other
  const { audio_input = 0, image_input = 0 } = other
  const fresh = entry.prompt_tokens - cached - created - audio_input - image_input
  const inside = linesOf(other.text_input ?? fresh, entry, other)
  const apart = linesOf(entry.prompt_tokens, entry, other)
  if (other.claude && other.input_tokens_total !== entry.prompt_tokens) return [apart, inside]
  return cached + created > 0 ? [inside, apart] : [inside]
}

function linesOf(input: number, entry: CountedEntry, other: LogOther): readonly Count[] {
  const { audio_input = 0, audio_output = 0, image_input = 0, image_output = 0 } = other
  const output = other.text_output ?? entry.completion_tokens - audio_output - image_output
  const counts: readonly Count[] = [
    { kind: 'input', tokens: Math.max(0, input), ratio: one },
    ...some('cached', other.cache_tokens, decimal(other.cache_ratio ?? 1)),
    ...cacheWrites(other),
    ...some('audioInput', audio_input, decimal(other.audio_ratio ?? 1)),
    ...some('imageInput', image_input, decimal(other.image_ratio ?? 1)),
    { kind: 'output', tokens: Math.max(0, output), ratio: decimal(other.completion_ratio ?? 1) },
    ...some('audioOutput', audio_output, outputRatio(other, other.audio_ratio, other.audio_completion_ratio)),
    ...some('imageOutput', image_output, outputRatio(other, other.image_ratio, other.image_completion_ratio)),
  ]
  return counts.map((count) => ({ ...count, ratio: multiply(count.ratio, ...surcharges(count.kind, other)) }))
}

const outputKinds: ReadonlySet<LineKind> = new Set(['output', 'audioOutput', 'imageOutput'])

/** Returns the factors of service and of the prompt's length on the price of such a token. */
function surcharges(kind: LineKind, { tier_ratios = {}, length_step: step }: LogOther): readonly Decimal[] {
  const tiers = Object.values(tier_ratios).map(decimal)
  if (step === undefined) return tiers
  const input = kind === 'cached' ? (step.cached ?? step.input) : step.input
  return [...tiers, decimal(outputKinds.has(kind) ? step.output : input)]
}

/** Writes that last an hour are part of all writes; rows without them do not name them. */
function cacheWrites(other: LogOther): readonly Count[] {
  const {
    cache_creation_tokens: all = 0,
    cache_creation_tokens_1h: hour = 0,
    cache_creation_ratio = 1,
  } = other
  return [
    ...some('cacheCreation', all - hour, decimal(other.cache_creation_ratio_5m ?? cache_creation_ratio)),
    ...some('cacheCreation1h', hour, decimal(other.cache_creation_ratio_1h ?? cache_creation_ratio)),
  ]
}

/** Returns the number of text input tokens that output of a kind counts: by its own ratios, else as text output. */
function outputRatio(other: LogOther, input = 1, completion?: number): Decimal {
  return completion === undefined
    ? decimal(other.completion_ratio ?? 1)
    : multiply(decimal(input), decimal(completion))
}

const one = decimal(1)

function some(kind: LineKind, tokens: number | undefined, ratio: Decimal): readonly Count[] {
  return tokens !== undefined && tokens > 0 ? [{ kind, tokens, ratio }] : []
}
