/** Headers beside `Authorization` in which clients send their API key, by whose they are. */
export const keyHeaders = {
  anthropic: 'x-api-key',
  gemini: 'x-goog-api-key',
  azure: 'api-key',
  midjourney: 'mj-api-secret',
} as const
