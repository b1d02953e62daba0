import { audioSeconds } from '../../billing/duration/audio-duration.ts'
import type { Spool } from './spool.ts'

/** Input tokens that a recording counts, where its upstream counts none: a thousand for a minute. */
export interface RecordedTokens {
  readonly tokens: number
  /** By its size alone, because its container is none that we can read. */
  readonly isEstimate: boolean
}

/** 64 kbit/s: what speech is usually recorded with, or more. */
const usualBytesPerSecond = 8000

export async function recordedTokens(file: Spool): Promise<RecordedTokens> {
  const seconds = await audioSeconds(file)
  return {
    tokens: tokensOf(seconds ?? file.size / usualBytesPerSecond),
    isEstimate: seconds === undefined,
  }
}

/** Whole seconds, begun ones included. */
function tokensOf(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * 1000)
}
