import { BatchRefusedError, DuplicateError, type FaultKind, StoreFault } from '../errors.ts'
import type { WorkerFailure } from './worker-messages.ts'

const faultKinds: Readonly<Record<string, FaultKind>> = {
  SQLITE_FULL: 'full',
  SQLITE_IOERR_WRITE: 'full',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'read-only',
  SQLITE_CANTOPEN: 'unavailable',
  SQLITE_NOTADB: 'unavailable',
  SQLITE_CORRUPT: 'unavailable',
  SQLITE_IOERR: 'unavailable',
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
}

const duplicateCodes = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']

export function fromSqlite(failure: WorkerFailure): Error {
  const { name, message, code } = failure
  if (name === 'BatchRefusedError') return new BatchRefusedError(message)
  if (name === 'RangeError') return new RangeError(message)
  if (duplicateCodes.includes(code)) return new DuplicateError(message)
  // The name of an extended code starts with that of its base code.
  const plain = Object.keys(faultKinds).find((known) => code === known || code.startsWith(`${known}_`))
  const kind = plain === undefined ? 'failed' : (faultKinds[plain] ?? 'failed')
  return new StoreFault(kind, `SQLite: ${message}${code === '' ? '' : ` (${code})`}`, {
    cause: Object.assign(new Error(message), { code }),
  })
}
