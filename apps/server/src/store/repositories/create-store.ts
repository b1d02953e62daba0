import { sql } from 'kysely'
import type { Database, Session } from '../database.ts'
import { createPing } from '../ping.ts'
import type { Store } from '../store.ts'
import { createChannelRepository } from './channels.ts'
import { createLedgerRepository } from './ledger.ts'
import { createOptionRepository } from './options.ts'
import { createSessionRepository } from './sessions.ts'
import { createSetupRepository } from './setups.ts'
import { createTokenRepository } from './tokens.ts'
import { createUsageRepository } from './usage.ts'
import { createUserRepository } from './users.ts'

/** The store whose calls all go over `session`. */
function storeOver(session: Session, close: () => Promise<void>): Store {
  return {
    kind: session.words.kind,
    users: createUserRepository(session),
    tokens: createTokenRepository(session),
    channels: createChannelRepository(session),
    options: createOptionRepository(session),
    sessions: createSessionRepository(session),
    setups: createSetupRepository(session),
    ledger: createLedgerRepository(session),
    usage: createUsageRepository(session),
    audit: { findings: () => session.read('findDifferences') },
    transaction: (work) => session.transaction((joined) => work(storeOver(joined, refuseClose))),
    ping: createPing(() => sql`select 1`.execute(session.db)),
    close,
  }
}

async function refuseClose(): Promise<void> {
  throw new Error('a transaction cannot close the store')
}

/** Closing twice is closing once. */
export function createStore(database: Database): Store {
  let closing: Promise<void> | undefined
  return storeOver(database, () => {
    closing ??= database.close()
    return closing
  })
}
