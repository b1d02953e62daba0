/**
 * Reasons for which a database call fails. `full`: no space to write · `read-only`: it may not be written · `unavailable`: it cannot be
 * reached · `busy`: another process locked it for too long · `damaged`: its content is not what was written · `failed`: anything else,
 * a bug of the program.
 */
export type FaultKind = 'full' | 'read-only' | 'unavailable' | 'busy' | 'damaged' | 'failed'

export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The store cannot be opened. The message is one sentence for the operator, without credentials. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}

/** A statement of a batch did not change its expected number of rows; the batch was rolled back. */
export class BatchRefusedError extends Error {
  override readonly name = 'BatchRefusedError'
}

export class DuplicateError extends Error {
  override readonly name = 'DuplicateError'
}

/** Money for an account that is not in the database. */
export class AccountUnknownError extends Error {
  override readonly name = 'AccountUnknownError'
}

/** A move would bring a balance beyond what a number holds; nothing was written. */
export class BalanceRangeError extends Error {
  override readonly name = 'BalanceRangeError'
  /** The field of the balance, such as `quota`. */
  readonly field: string
  readonly balance: number
  readonly amount: number

  constructor(field: string, balance: number, amount: number) {
    super(`${field}: ${balance} and ${amount} together are beyond what a balance holds`)
    this.field = field
    this.balance = balance
    this.amount = amount
  }
}

export class JournalPositionError extends Error {
  override readonly name = 'JournalPositionError'
}

/** The database was written by a newer program; running on would damage it. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'
}

/** A migration failed; the database is as it was before. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly migration: string

  constructor(migration: string, cause: unknown) {
    super(`migration ${migration} failed: ${firstLine(cause)}`, { cause })
    this.migration = migration
  }
}

/** The failure in one sentence: `what` and the reason. */
export function toOpenError(error: unknown, what: string): Error {
  if (error instanceof SchemaTooNewError || error instanceof StoreOpenError) return error
  return new StoreOpenError(`${what}: ${reasonOf(error)}.`, { cause: error })
}

/** Reasons by the error code of a connection that could not be encrypted as the address demands, with the setting to make. */
const encryptionReasons: readonly (readonly [RegExp, string])[] = [
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY|GET)_)/,
    'its certificate is signed by itself, or by an authority that is not known here; add sslrootcert=FILE with the certificate of that authority to the address, or sslmode=require to encrypt without verifying',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    'its certificate is for another host name; use the name that the certificate has, or sslmode=verify-ca',
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    'its certificate is not valid at this time; renew it, or set the clock',
  ],
  [
    /^ERR_POSTGRES_TLS_NOT_AVAILABLE/,
    'the server takes no encrypted connections; switch ssl on there, or set sslmode=prefer in the address',
  ],
]

/** The reason why a connection is not encrypted as its address says; `undefined` for other failures. */
export function encryptionReason(error: unknown): string | undefined {
  const code = codeOf(error)
  const known = encryptionReasons.find(([codes]) => codes.test(code))?.[1]
  return known ?? (/does not support SSL/.test(firstLine(error)) ? encryptionReasons.at(-1)?.[1] : undefined)
}

/** Reasons by the error code of the system, SQLite or PostgreSQL. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM)/,
    'it may not be written; check who owns the data directory',
  ],
  [/^(ENOTDIR|EEXIST)/, 'a file stands where the data directory should be'],
  [/^SQLITE_CANTOPEN/, 'it cannot be opened; check that the data directory exists and may be written'],
  [
    /^(SQLITE_NOTADB|SQLITE_CORRUPT)/,
    'the file is damaged, or not a SQLite database; stop the gateway and run tollgate repair, which saves what can be saved',
  ],
  [/^XX00[12]/, 'its content is damaged; restore it from a backup, or rebuild what PostgreSQL names'],
  [/^(ENOSPC|SQLITE_FULL|53100)/, 'the disk is full'],
  [/^SQLITE_BUSY/, 'another program holds it'],
  [/^28/, 'the server refuses the user name or password'],
  [/^3D000/, 'the server has no such database'],
  [/^(42501|25006)/, 'this user may not create tables in it'],
  [/^53300/, 'the server takes no more connections'],
  [/^(55P03|40P01)/, 'its tables stay locked; end what reads or changes them, then start again'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'the host name is not known'],
  [/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|57P03)/, 'no server responds there'],
]

function reasonOf(error: unknown): string {
  if (error instanceof MigrationError) return `migration ${error.migration}: ${reasonOf(error.cause)}`
  const code = codeOf(error)
  const known = encryptionReason(error) ?? reasons.find(([codes]) => codes.test(code))?.[1]
  if (known !== undefined) return known
  if (error instanceof StoreFault && error.kind === 'unavailable') return 'it does not respond'
  const failure = code === '' ? 'it failed' : `it failed with ${code}`
  return `${failure} (${firstLine(error)})`
}

/** Returns the first line of the error, without anything that could name an account of the server. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [line = ''] = text.split('\n', 1)
  return line.replace(/\/\/[^@/\s]*@/g, '//').replace(/\.$/, '')
}

/** Recognises the database's errors about damage of its own data. */
export function isDamage(error: unknown): boolean {
  return /^(SQLITE_NOTADB|SQLITE_CORRUPT|XX001|XX002)/.test(codeOf(error))
}

/** The code of the error or, where it has none, of its cause. A worker reports errors as plain objects. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}
