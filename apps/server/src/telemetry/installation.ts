import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { quartersOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import { visibleSeconds } from '../billing/journal-findings.ts'
import { isDamage } from '../store/errors.ts'
import type { ChannelBalance, DatabaseSize } from '../store/installation/installation.ts'
import type { MarginOf } from '../store/log/margins.ts'
import type { Store } from '../store/store.ts'

/** Figures of an installation that end badly when nobody looks: room, damage, backups, expiries, balances and margins. */
export interface InstallationFigures {
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | undefined
  readonly journalBytes: number
  /** `undefined` while the database does not respond. */
  readonly database: DatabaseFigures | undefined
  /** The database said that its data are damaged, when it was last read or written. */
  readonly isDamaged: boolean
  /** Time of the last complete backup, in ms; 0 where none is known. */
  readonly lastBackupMs: number
  /** Until when the certificate of the server's address holds, in ms; `undefined` without one. */
  readonly certificateEndMs: number | undefined
}

interface DatabaseFigures {
  readonly size: DatabaseSize
  /** API keys that expire within a week. */
  readonly endingKeys: number
  /** Settled calls that starts found lost, at most, within a month. */
  readonly lostCalls: number
  readonly balances: readonly ChannelBalance[]
  /** Charges and costs of a day's calls, by channel. */
  readonly margins: readonly MarginOf[]
}

interface Dependencies {
  readonly store: Pick<Store, 'installation' | 'journalFindings'> & {
    readonly statistics: Pick<Store['statistics'], 'modelTotals' | 'margins'>
  }
  readonly dataDir: string
  readonly journalDirectory: string
  /** Returns the error for which the database did not take settled calls the last time; `undefined` when it did. */
  readonly flushFault: () => unknown
  readonly lastBackupMs: () => Promise<number | undefined>
  readonly certificateEndMs: () => Promise<number | undefined>
  readonly clock: Clock
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const daySeconds = 86_400
/** Most channels with a margin of their own. */
const maxMargins = 500

/** Reads the figures when somebody looks; what costs the database or another server something, at most every few minutes. */
export function createInstallationReader(deps: Dependencies): () => Promise<InstallationFigures> {
  const { store, dataDir, journalDirectory, clock } = deps
  let isDamaged = false
  const database = remembered(minuteMs, async () => {
    try {
      const figures = await readDatabase(store, unixSeconds(clock))
      isDamaged = false
      return figures
    } catch (error) {
      isDamaged = isDamage(error)
      return undefined
    }
  })
  const certificate = remembered(hourMs, deps.certificateEndMs)
  return async () => {
    const [disk, journalBytes, figures, lastBackup, certificateEnd] = await Promise.all([
      readDisk(dataDir),
      sizeOf(journalDirectory),
      database(),
      deps.lastBackupMs(),
      certificate().catch(() => undefined),
    ])
    return {
      disk,
      journalBytes,
      database: figures,
      isDamaged: isDamaged || isDamage(deps.flushFault()),
      lastBackupMs: lastBackup ?? 0,
      certificateEndMs: certificateEnd,
    }
  }
}

/** Reads anew when what was read is older, and never twice at once. */
function remembered<Value>(maxAgeMs: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | undefined
  return () => {
    const at = performance.now()
    if (last === undefined || at - last.at > maxAgeMs) last = { at, value: read() }
    return last.value
  }
}

async function readDatabase(store: Dependencies['store'], now: number): Promise<DatabaseFigures> {
  const from = now - daySeconds
  const [size, endingKeys, findings, balances, margins] = await Promise.all([
    store.installation.size(),
    store.installation.countEndingKeys(now, now + 7 * daySeconds),
    store.journalFindings.listSince(now - visibleSeconds),
    store.installation.balances(),
    store.statistics.margins({ by: 'channel', ...quartersOf({ from, to: now }), limit: maxMargins }),
  ])
  const lostCalls = findings.reduce((sum, { atMost }) => sum + atMost, 0)
  return { size, endingKeys, lostCalls, balances, margins: margins.rows }
}

/** `undefined` where the system does not say. */
async function readDisk(directory: string): Promise<InstallationFigures['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return undefined
  }
}

/** Sums the sizes of the files in a directory; those that vanish meanwhile count nothing. */
async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}
