/** Limits of a key, a user or a channel per minute, and at once; 0 is no limit. */
export interface RateLimits {
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
  readonly concurrency: number
}
