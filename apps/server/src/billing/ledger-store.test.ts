import { afterEach, beforeEach, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '../lib/clock.ts'
import { openStore } from '../store/open-store.ts'
import type { NewChannel, NewToken, NewUser, Store } from '../store/store.ts'
import { auditBooks } from './audit.ts'
import { openJournal } from './journal/open.ts'
import { createLedger } from './ledger.ts'
import { chargeOf, silentLogger } from './test-support/charges.ts'
import { admitted, drained, requestOf } from './test-support/ledger-bench.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'tollgate-ledger-store-'))
})

afterEach(() => rmSync(dataDir, { recursive: true }))

const alice: NewUser = {
  username: 'alice',
  displayName: '',
  passwordHash: '',
  role: 'common',
  status: 'enabled',
  group: 'default',
  email: '',
  githubId: '',
  oidcId: '',
  wechatId: '',
  telegramId: '',
  linuxDoId: '',
  accessTokenHash: '',
  affCode: '',
  affCount: 0,
  affQuota: 0,
  affHistoryQuota: 0,
  inviterId: 0,
  setting: '',
  createdAt: 1,
}
const key: NewToken = {
  userId: 1,
  name: 'key',
  keyHash: 'hash',
  keySealed: '',
  status: 'enabled',
  createdAt: 1,
  expiresAt: null,
  unlimitedQuota: false,
  modelLimitsEnabled: false,
  modelLimits: [],
  allowIps: '',
  group: '',
}
const upstream: NewChannel = {
  type: 1,
  name: 'upstream',
  status: 'enabled',
  keysSealed: '',
  keyCount: 1,
  openaiOrganization: '',
  maxInputTokens: 0,
  baseUrl: '',
  baseUrlTrusted: false,
  other: '',
  models: ['m'],
  groups: ['default'],
  modelMapping: '',
  statusCodeMapping: '',
  paramOverride: '',
  setting: '',
  autoBan: true,
  testModel: '',
  priority: 0,
  weight: 0,
  tag: '',
  createdAt: 1,
}

async function opened() {
  const store = await openStore({ dataDir, logger: silentLogger })
  const directory = path.join(dataDir, 'journal')
  const journal = openJournal({
    directory,
    clock: systemClock,
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
  return auditBooks({ audit, ledger, journalDirectory, clock: systemClock, logger: silentLogger })
}

it('keeps the books of a real database over calls, credits and a process that dies', async () => {
  const first = await opened()
  const user = await first.store.users.create(alice)
  const token = await first.store.tokens.create({ ...key, userId: user.id })
  const channel = await first.store.channels.create(upstream)
  const credit = { cause: 'initial', actorId: 0, note: '' } as const
  await first.ledger.credit({ ...credit, kind: 'user', id: user.id, amount: 100_000 })
  await first.ledger.setBalance({ ...credit, kind: 'token', id: token.id, balance: 90_000 })

  const request = requestOf({ userId: user.id, token: { id: token.id, unlimited: false } })
  const charge = chargeOf({ userId: user.id, tokenId: token.id, channelId: channel.id, quota: 70 })
  const call = (ledger: typeof first.ledger) => ledger.settle(admitted(ledger.reserve(request)), charge)

  for (let calls = 0; calls < 1200; calls += 1) call(first.ledger)
  await drained(first.ledger, user.id)
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
