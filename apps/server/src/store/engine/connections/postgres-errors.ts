import { BatchRefusedError, DuplicateError, type FaultKind, StoreFault } from '../../errors.ts'

/** SQLSTATE, or its class, to the store's error. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const faultKinds: Readonly<Record<string, FaultKind>> = {
  '53100': 'full',
  '25006': 'read-only',
  '55P03': 'busy',
  '57014': 'busy',
  '25P03': 'unavailable',
  '40001': 'busy',
  '40P01': 'busy',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  XX001: 'damaged',
  XX002: 'damaged',
  '53': 'unavailable',
  '08': 'unavailable',
}

const uniqueViolation = '23505'
const sqlState = /^[0-9A-Z]{5}$/

/** The error of the driver, the network or the server as the store's error. */
export function fromPostgres(error: unknown): Error {
  if (error instanceof StoreFault || error instanceof DuplicateError || error instanceof RangeError)
    return error
  const { name, message, code } = describe(error)
  if (name === 'BatchRefusedError') return new BatchRefusedError(message)
  if (name === 'RangeError') return new RangeError(message)
  if (code === uniqueViolation) return new DuplicateError(message)
  return new StoreFault(kindOf(code), `PostgreSQL: ${message}`, { cause: error })
}

/**
 * Recognises a server of which this connection is of no use any more: it is gone, or has become the standby of another, to which a new
 * connection leads.
 */
export function isUnusable(error: unknown): boolean {
  const fault = fromPostgres(error)
  return fault instanceof StoreFault && (fault.kind === 'unavailable' || fault.kind === 'read-only')
}

/** The server ended one of two deadlocked transactions: a retry succeeds. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof StoreFault && ['40P01', '40001'].includes(describe(error.cause).code)
}

/** Recognises a lock of another transaction for which this one would not wait. */
export function isLockTimeout(error: unknown): boolean {
  return describe(error).code === '55P03'
}

/**
 * Recognises a transaction that another was in the way of, and that may be tried again: it deadlocked, or waited for as long as it may.
 */
export function isLockConflict(error: unknown): boolean {
  if (isDeadlock(error)) return true
  return error instanceof StoreFault && (isLockTimeout(error.cause) || describe(error.cause).code === '57014')
}

/** Returns the kind of a fault; an error without a SQLSTATE is not the server's: the connection failed. */
function kindOf(code: string): FaultKind {
  if (!sqlState.test(code)) return 'unavailable'
  return faultKinds[code] ?? faultKinds[code.slice(0, 2)] ?? 'failed'
}

function describe(error: unknown): { name: string; message: string; code: string } {
  if (typeof error !== 'object' || error === null) return { name: '', message: String(error), code: '' }
  const { name, message, code } = error as { name?: unknown; message?: unknown; code?: unknown }
  const known = typeof code === 'string' ? code : ''
  return {
    name: String(name),
    message: message === '' || message === undefined ? known : String(message),
    code: known,
  }
}
