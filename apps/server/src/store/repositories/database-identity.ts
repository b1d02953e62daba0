import { sql } from 'kysely'
import type { Connection } from '../database.ts'

/** What tells this database from others: one row, made with it. Its id is the ledger's to read. */
export function createIdentityRepository({ db }: Connection) {
  return {
    /** Whether the database is used with this secret; the first one to say so decides. */
    async isUsedWith(secretFingerprint: string): Promise<boolean> {
      await sql`update database_identity set secret_fingerprint = ${secretFingerprint}
        where secret_fingerprint = ''`.execute(db)
      const { rows } = await sql<{ known: string }>`
        select secret_fingerprint as known from database_identity`.execute(db)
      return rows.every(({ known }) => known === secretFingerprint)
    },
  }
}

export type IdentityRepository = ReturnType<typeof createIdentityRepository>
