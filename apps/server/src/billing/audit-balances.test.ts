import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monotonicClock } from '@tollgate/base'
import type { AuditFinding, ClearedSpan } from '../store/money/audit/find-differences.ts'
import { auditBalances } from './audit-balances.ts'
import { openJournal } from './journal/open.ts'
import { journalsAside, openStoppedJournal } from './journal/stopped-journal.ts'
import { chargeOf, recordIn, silentLogger } from './test-support/charges.ts'
import { createMemoryLedgerRepository } from './test-support/memory-ledger-repository.ts'
import { replay } from './write-behind/replay-journal.ts'

let root: string
let directory: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tollgate-audit-'))
  directory = path.join(root, 'journal')
})

afterEach(() => rmSync(root, { recursive: true }))

const open = () =>
  openJournal({ directory, clock: monotonicClock, logger: silentLogger, segmentBytes: 64 * 1024 })

function auditOf(
  findings: AuditFinding[] = [],
  ledger = createMemoryLedgerRepository(),
  aside: readonly string[] = [],
  span: ClearedSpan | undefined = undefined,
) {
  const audit = {
    findings: async () => findings,
    nearGifts: async () => [],
    clearedSpan: async () => span,
  }
  return auditBalances({
    audit,
    ledger,
    journalDirectory: directory,
    journalsAside: aside,
    logger: silentLogger,
  })
}

async function settled(calls: number): Promise<void> {
  const journal = open()
  await journal.start(0)
  for (let call = 0; call < calls; call += 1) recordIn(journal, chargeOf({ quota: 100 }))
  await journal.close()
}

describe('audit', () => {
  it('reports that everything adds up, and creates no journal', async () => {
    expect(await auditOf()).toEqual({ balanced: true, lines: ['Everything adds up.'] })
    expect(existsSync(directory)).toBe(false)
  })

  it.each([
    [0, 'charges of that time rest on sums alone.'],
    [
      7200,
      'charges of that time rest on sums alone; those of keys and channels have none before 1970-01-01T02:00:00.000Z.',
    ],
  ])('says which span rests on sums alone, where sums begin at %d', async (sumsFrom, words) => {
    const { balanced, lines } = await auditOf([], undefined, [], { from: 3600, to: 9000, sumsFrom })
    expect([balanced, lines[0]]).toEqual([
      true,
      `The log was cleared from 1970-01-01T01:00:00.000Z to 1970-01-01T02:30:00.000Z: ${words}`,
    ])
  })

  it('says what does not add up', async () => {
    const report = await auditOf([{ what: 'quota of user 1', expected: 10, found: 7 }])
    expect(report).toEqual({ balanced: false, lines: ['quota of user 1: expected 10, found 7'] })
  })

  it('reports what a killed gateway left in its journal, and changes nothing', async () => {
    await settled(3)
    const report = {
      balanced: true,
      lines: [
        '3 settled calls (quota 300) wait in the journal: the next start writes them.',
        'Everything adds up.',
      ],
    }
    expect(await auditOf()).toEqual(report)
    expect(await auditOf()).toEqual(report)
  })

  it('does not count what waits for another database, and fails', async () => {
    const journal = open()
    await journal.claimFor('another')
    await journal.start(0)
    recordIn(journal, chargeOf())
    await journal.close()
    expect(await auditOf()).toEqual({
      balanced: false,
      lines: [
        'The journal has charges of another database: the gateway does not start over this one with it.',
      ],
    })
  })

  it('misses what waits in a journal aside, until it is settled from there', async () => {
    await settled(3)
    const ledger = createMemoryLedgerRepository()
    const aside = path.join(root, 'aside', 'journal')
    mkdirSync(path.dirname(aside))
    renameSync(directory, aside)
    expect(journalsAside(root, directory)).toEqual([aside])
    expect(await auditOf([], ledger, [aside])).toEqual({
      balanced: false,
      lines: [
        `settled calls that wait in ${aside}: expected 0, found 3`,
        `3 settled calls (quota 300) are missing: tollgate recover --journal ${aside} writes them.`,
      ],
    })
    const journal = openStoppedJournal(aside)
    if (journal === undefined) throw new Error('the journal aside is gone')
    await replay(journal.of('memory'), ledger, silentLogger)
    journal.close()
    expect(ledger.settlements).toHaveLength(3)
    expect(await auditOf([], ledger, [aside])).toMatchObject({ balanced: true })
  })

  it('works beside a running gateway', async () => {
    const running = open()
    expect(await auditOf()).toEqual({
      balanced: true,
      lines: [
        'The gateway is running: calls that ended just now are not in the database yet.',
        'Everything adds up.',
      ],
    })
    await running.close()
  })

  it('finds calls that neither journal nor database has', async () => {
    const journal = open()
    await journal.start(7)
    recordIn(journal, chargeOf())
    await journal.close()
    expect(await auditOf()).toMatchObject({ balanced: false })
  })
})
