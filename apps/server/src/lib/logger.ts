import { keyHeaders } from '@tollgate/api'
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
  ...Object.values(keyHeaders).map((name) => `headers["${name}"]`),
]

/** JSON lines on stdout. @param worker the one of several processes that writes them */
export function createLogger(level: string, worker?: number): Logger {
  return pino({
    level,
    base: worker === undefined ? null : { worker },
    redact: { paths: redactedPaths, censor: '[redacted]' },
  })
}
