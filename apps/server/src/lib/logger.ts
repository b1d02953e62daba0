import pino from 'pino'

export type Logger = pino.Logger

/** Secrets are redacted by path, wherever an object carrying them is logged. */
const redactedPaths = [
  'key',
  'keys',
  'password',
  'authorization',
  'cookie',
  'secret',
  '*.key',
  '*.keys',
  '*.password',
  '*.authorization',
  '*.cookie',
  '*.secret',
  'headers.authorization',
  'headers.cookie',
  'headers["x-api-key"]',
]

/** JSON lines on stdout. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, redact: { paths: redactedPaths, censor: '[redacted]' } })
}
