/** The environment for a walk over all calls: no global rate limit, and a critical limit that no walk reaches. */
export const consoleWithoutLimits = {
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT: '1000000',
  MAX_BODY_MB: '2',
} as const

/** Port 9 of the loopback interface: refused at once. */
export const nothingListens = 'http://127.0.0.1:9'
