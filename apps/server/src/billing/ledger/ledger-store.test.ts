import { afterEach, beforeEach, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monotonicClock, systemClock } from '@tollgate/base'
import { newChannel, newToken, newUser } from '../../store/contract/samples.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { auditBalances } from '../audit-balances.ts'
import { openJournal } from '../journal/open.ts'
import { chargeOf, silentLogger } from '../test-support/charges.ts'
import { admitted, flushed, requestOf } from '../test-support/ledger-bench.ts'
import { createLedger } from './ledger.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'tollgate-ledger-store-'))
})

afterEach(() => rmSync(dataDir, { recursive: true }))

async function opened() {
  const store = await openStore({ dataDir, logger: silentLogger })
  const directory = path.join(dataDir, 'journal')
  const journal = openJournal({
    directory,
    clock: monotonicClock,
    logger: silentLogger,
    segmentBytes: 1024 * 1024,
  })
  const ledger = await createLedger({
    repository: store.ledger,
    journal,
    clock: systemClock,
    logger: silentLogger,
  })
  return { store, journal, ledger }
}

function audited(store: Store) {
  const { audit, ledger } = store
  const journalDirectory = path.join(dataDir, 'journal')
  return auditBalances({ audit, ledger, journalDirectory, journalsAside: [], logger: silentLogger })
}

it('keeps the books of a real database over calls, credits and a process that dies', async () => {
  const first = await opened()
  const user = await first.store.users.create(newUser())
  const token = await first.store.tokens.create(newToken(user.id))
  const channel = await first.store.channels.create(newChannel())
  const credit = { cause: 'initial', actorId: 0, note: '' } as const
  await first.ledger.credit({ ...credit, kind: 'user', id: user.id, amount: 100_000 })
  await first.ledger.setBalance({ ...credit, kind: 'token', id: token.id, balance: 90_000 })

  const request = requestOf({ userId: user.id, token: { id: token.id, unlimited: false } })
  const charge = chargeOf({ userId: user.id, tokenId: token.id, channelId: channel.id, quota: 70 })
  const call = (ledger: typeof first.ledger) => {
    ledger.settle(admitted(ledger.reserve(request)), charge)
    ledger.record()
  }

  for (let calls = 0; calls < 1200; calls += 1) call(first.ledger)
  await flushed(first.ledger, user.id)
  for (let calls = 0; calls < 7; calls += 1) call(first.ledger)
  // The process dies: its files close, what it settled last is in the journal alone.
  await first.journal.close()
  await first.store.close()

  const second = await opened()
  await second.ledger.load(user.id, token.id)
  const spent = 1207 * 70
  expect(second.ledger.balance('user', user.id)).toBe(100_000 - spent)
  expect(second.ledger.balance('token', token.id)).toBe(90_000 - spent)
  call(second.ledger)
  await second.ledger.credit({ ...credit, kind: 'user', id: user.id, amount: -500 })
  await second.ledger.close()
  expect(await second.store.users.find(user.id)).toMatchObject({
    quota: 100_000 - spent - 70 - 500,
    usedQuota: spent + 70,
    requestCount: 1208,
  })
  expect(await audited(second.store)).toEqual({ balanced: true, lines: ['Everything adds up.'] })
  await second.store.close()
})
