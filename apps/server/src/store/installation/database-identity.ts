import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { adoptStoredFormsLater, writesStoredForms } from '../schema/stored-forms.ts'

/** Record of the secret that the database is used with. */
export interface SecretRecord {
  /** Keyed hash of a constant, of versions that had no hash key of their own; empty before the first start. */
  readonly fingerprint: string
  /** The hash key, sealed with the active key; empty until `adoptHashKey`. */
  readonly hashKeySealed: string
  /** Id of the key with which every secret was found sealed. */
  readonly resealedKey: string
  /** Set once every program that may run reads texts that name their key; until then this one seals none. */
  readonly namesKeys: boolean
}

/** Word in place of a fingerprint once the secret was rotated: a program that knows of fingerprints alone must not start. */
const rotated = 'rotated'

const noRecord = { fingerprint: '', hashKeySealed: '', resealedKey: '', oldest: '' }

/** Repository of the database's identity and of the secret that belongs to it: one row, made with it. */
export function createIdentityRepository(connection: Connection) {
  /** Executes a statement; true when it changed the row, which survives a power cut then. */
  const changes = (statement: ReturnType<typeof sql>): Promise<boolean> =>
    connection.transaction(async ({ db, dialect }) => {
      for (const durable of dialect.makeDurable) await sql.raw(durable).execute(db)
      const { numAffectedRows } = await statement.execute(db)
      return Number(numAffectedRows ?? 0) > 0
    })
  return {
    async secret(): Promise<SecretRecord> {
      const { rows } = await sql<Omit<SecretRecord, 'namesKeys'> & { oldest: string }>`
        select secret_fingerprint as "fingerprint", hash_key_sealed as "hashKeySealed", resealed_key as "resealedKey",
          oldest_program as "oldest"
        from database_identity`.execute(connection.db)
      const [{ oldest, ...record } = noRecord] = rows
      return { ...record, namesKeys: writesStoredForms(oldest) }
    },
    /**
     * Raises the oldest program that may run once no node lives that reads the former forms alone; true when the stored forms are
     * written now.
     * @param ownConnection name of the connections of this node
     */
    adoptStoredForms: (ownConnection: string): Promise<boolean> =>
      adoptStoredFormsLater(connection, ownConnection),
    /** Records the hash key of a database that has none; false when it has one by now. */
    adoptHashKey: (sealed: string, fingerprint: string): Promise<boolean> =>
      changes(sql`update database_identity
        set hash_key_sealed = ${sealed}, secret_fingerprint = ${fingerprint} where hash_key_sealed = ''`),
    /** Forgets the secret that the database was used with: the next one takes its place, as in a new database. */
    forgetSecret: (): Promise<boolean> =>
      changes(
        sql`update database_identity set hash_key_sealed = '', secret_fingerprint = '', resealed_key = ''`,
      ),
    /** Replaces the sealed hash key, and with it the active key; false when it is another one by now. */
    replaceHashKey: (before: string, after: string): Promise<boolean> =>
      changes(sql`update database_identity
        set hash_key_sealed = ${after}, secret_fingerprint = ${rotated} where hash_key_sealed = ${before}`),
    /** Records that everything is sealed with this key. Everything that was written before survives a power cut, too. */
    markResealed: (keyId: string): Promise<boolean> =>
      changes(sql`update database_identity set resealed_key = ${keyId}`),
  }
}

export type IdentityRepository = ReturnType<typeof createIdentityRepository>
