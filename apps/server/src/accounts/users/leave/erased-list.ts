import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceDurableFile } from '../../../lib/durable-file.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { ErasedAccount } from '../../../store/accounts/people.ts'
import type { Store } from '../../../store/store.ts'
import { revokeCredentials } from '../login/revoke-credentials.ts'
import type { Erasure } from './erase-account.ts'

/** The list beside the database, which no restore of a backup replaces. */
export const erasedListName = 'erased-accounts.json'

const listedAccount = z.object({
  /** The id of the database, which its backups have too. */
  database: z.string(),
  id: z.number().int(),
  created_at: z.number().int(),
  erased_at: z.number().int(),
})
type ListedAccount = z.output<typeof listedAccount>

interface Dependencies {
  readonly store: Store
  readonly dataDir: string
  readonly erasure: Pick<Erasure, 'erase'>
  readonly logger: Pick<Logger, 'warn'>
  readonly nowSeconds: () => number
}

/**
 * Creates the list of erased accounts, in a file: a backup from before an erasure brings the account back, and the next start erases it
 * again.
 */
export function createErasedList({ store, dataDir, erasure, logger, nowSeconds }: Dependencies) {
  const path = join(dataDir, erasedListName)

  /** A list that cannot be read is no reason not to start; whoever is in it would be back. */
  function read(): readonly ListedAccount[] {
    if (!existsSync(path)) return []
    try {
      return z.array(listedAccount).parse(JSON.parse(readFileSync(path, 'utf8')))
    } catch (err) {
      logger.warn({ err, path }, 'the list of erased accounts cannot be read: restore it from a copy')
      return []
    }
  }

  /** Closes an account that was live in the backup, and erases it. */
  async function eraseAgain({ id, created_at }: ListedAccount): Promise<boolean> {
    const isBack = await store.transaction(async (tx) => {
      const user = await tx.users.lock(id)
      // After a restore another account may have got the number.
      if (user === undefined || user.createdAt !== created_at || user.erasedAt !== null) return false
      if (user.deletedAt === null) {
        await tx.users.update(id, { deletedAt: nowSeconds() })
        await revokeCredentials(tx, [id], 'closed')
      }
      return true
    })
    return isBack && (await erasure.erase(id))
  }

  return {
    /** Adds the accounts that the database knows as erased. */
    async note(): Promise<void> {
      const database = await store.ledger.databaseId()
      const listed = read()
      const known = new Set(listed.map((account) => keyOf(account)))
      const added = (await store.people.listErased())
        .map((account) => listedOf(database, account))
        .filter((account) => !known.has(keyOf(account)))
      if (added.length > 0) replaceDurableFile(path, `${JSON.stringify([...listed, ...added], null, 1)}\n`)
    },
    /** Erases accounts of the list that a restored backup brought back; returns how many. */
    async apply(): Promise<number> {
      const database = await store.ledger.databaseId()
      let erased = 0
      for (const account of read())
        if (account.database === database && (await eraseAgain(account))) erased += 1
      return erased
    },
  }
}

export type ErasedList = ReturnType<typeof createErasedList>

function listedOf(database: string, { id, createdAt, erasedAt }: ErasedAccount): ListedAccount {
  return { database, id, created_at: createdAt, erased_at: erasedAt }
}

function keyOf({ database, id, created_at }: ListedAccount): string {
  return `${database} ${id} ${created_at}`
}
