import { type UserStatus, userStatuses } from '@tollgate/api/roles'
import { sql } from 'kysely'
import type { Connection } from '../database.ts'

/** The state of an account's credentials that a proof of identity was checked against. */
export interface CredentialState {
  readonly id: number
  readonly passwordHash: string
  readonly status: UserStatus
  readonly credentialsVersion: number
}

/**
 * An account that a transaction has locked and found as a proof was checked against it. What opens accounts (sessions, proofs,
 * access tokens, passkeys, second factors, pending steps) is written with one in hand, and `users.lockVerified` alone gives one
 * out: no road to an account can leave the check out.
 */
export class VerifiedAccount {
  readonly id: number
  readonly #db: Connection['db']

  private constructor(id: number, db: Connection['db']) {
    this.id = id
    this.#db = db
  }

  /** `undefined` when the account is closed or disabled, or its credentials are not in this state any more. */
  static async lock(
    { db, dialect }: Connection,
    state: CredentialState,
  ): Promise<VerifiedAccount | undefined> {
    if (!db.isTransaction) throw new Error('an account is locked within a transaction')
    const { rows } = await sql<StoredState>`
      select password_hash, status, credentials_version, deleted_at from users
      where id = ${state.id} ${sql.raw(dialect.lockRow)}`.execute(db)
    const [row] = rows
    return row !== undefined && isUnchanged(row, state) ? new VerifiedAccount(state.id, db) : undefined
  }

  /** The account's id, for a write by the transaction that has locked it. */
  idIn(db: Connection['db']): number {
    if (db !== this.#db) throw new Error('another transaction has locked the account')
    return this.id
  }
}

interface StoredState {
  readonly password_hash: string
  readonly status: number
  readonly credentials_version: number
  readonly deleted_at: number | null
}

function isUnchanged(
  row: StoredState,
  { passwordHash, status, credentialsVersion }: CredentialState,
): boolean {
  return (
    row.deleted_at === null &&
    status === 'enabled' &&
    row.status === userStatuses.enabled &&
    row.password_hash === passwordHash &&
    row.credentials_version === credentialsVersion
  )
}

/** Ends the log-ins and proofs in flight of these users. Locks their rows. */
export async function raiseCredentialsVersion(
  { db, dialect }: Pick<Connection, 'db' | 'dialect'>,
  userIds: readonly number[],
): Promise<void> {
  await db
    .updateTable('users')
    .set({ credentials_version: sql`credentials_version + 1` })
    .where(dialect.isOneOf('id', userIds))
    .execute()
}
