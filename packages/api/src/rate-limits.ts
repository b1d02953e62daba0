import { z } from 'zod'
import { rateLimitMaximum } from './settings/shapes.ts'

/** Limits of a key, a user or a channel per minute, and at once; 0 is no limit. */
export interface RateLimits {
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
  readonly concurrency: number
}

const limit = z.number().int().min(0).max(rateLimitMaximum)

/** The same on the wire. Absent in a change: unchanged. */
export const rateLimitFields = {
  requests_per_minute: limit,
  tokens_per_minute: limit,
  concurrency: limit,
}

interface WireRateLimits {
  readonly requests_per_minute: number
  readonly tokens_per_minute: number
  readonly concurrency: number
}

export function wireRateLimits(limits: RateLimits): WireRateLimits {
  const { requestsPerMinute, tokensPerMinute, concurrency } = limits
  return { requests_per_minute: requestsPerMinute, tokens_per_minute: tokensPerMinute, concurrency }
}

/** Those that are given. */
export function rateLimitsIn(
  wire: { readonly [Key in keyof WireRateLimits]?: number | undefined },
): Partial<RateLimits> {
  const { requests_per_minute, tokens_per_minute, concurrency } = wire
  return {
    ...(requests_per_minute !== undefined && { requestsPerMinute: requests_per_minute }),
    ...(tokens_per_minute !== undefined && { tokensPerMinute: tokens_per_minute }),
    ...(concurrency !== undefined && { concurrency }),
  }
}
