import { audioSeconds } from '../../billing/duration/audio-duration.ts'
import type { Spool } from './spool.ts'

/** Input tokens that a recording counts, where its upstream counts none: a thousand for a minute. */
export interface RecordedTokens {
  readonly tokens: number
  /** By its size alone, because its container is none that we can read. */
  readonly isEstimate: boolean
  readonly fileBytes: number
}

/** 64 kbit/s: what speech is usually recorded with, or more. */
const usualBytesPerSecond = 8000
/** 2 kbit/s: no codec takes less, so no upstream has heard more. */
const lowestBytesPerSecond = 250

export async function recordedTokens(file: Spool): Promise<RecordedTokens> {
  const seconds = await audioSeconds(file)
  return {
    tokens: tokensOf(seconds ?? file.size / usualBytesPerSecond),
    isEstimate: seconds === undefined,
    fileBytes: file.size,
  }
}

/**
 * The tokens of a recording whose upstream may say how long it was: the most of what was measured and what it says, or what
 * it says alone where nothing was measured; `undefined` where neither is known.
 * @param heard seconds
 */
export function heardTokens(
  { tokens, isEstimate, fileBytes }: RecordedTokens,
  heard: number | undefined,
): number | undefined {
  const believed = Math.min(heard ?? 0, fileBytes / lowestBytesPerSecond)
  if (!(believed > 0)) return isEstimate ? undefined : tokens
  return isEstimate ? tokensOf(believed) : Math.max(tokens, tokensOf(believed))
}

/** Whole seconds, begun ones included. */
function tokensOf(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * 1000)
}
