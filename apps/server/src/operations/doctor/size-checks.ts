import type { FileExtent } from '../../store/log/usage.ts'
import type { Store } from '../../store/store.ts'
import { type Finding, ok, warn } from './finding.ts'

const gibibyte = 2 ** 30
/** Bytes, and share of the file, from which on a stop is worth it. */
const noticedBytes = gibibyte
const noticedShare = 0.5
/** Log pages and statistics over one file are held to their times up to so many rows. */
const maxLogRows = 10_000_000
/** A backup copies the file whole, and needs twice its size beside it. */
const maxFileBytes = 32 * gibibyte

/** Decides whether a file is better moved to PostgreSQL. */
export function isOutgrown({ rows, bytes }: FileExtent): boolean {
  return rows > maxLogRows || bytes > maxFileBytes
}

/**
 * Checks the size of the database, the room in its file that a cleared log left and the disk could have, and whether one file is still
 * enough.
 */
export async function checkSize(store: Pick<Store, 'installation' | 'usage'>): Promise<readonly Finding[]> {
  const { bytes, freeBytes } = await store.installation.size()
  const extent = await store.usage.fileExtent()
  const size = `the database has ${inGibibytes(bytes)} GiB`
  const text = extent === undefined ? size : `${size}, and up to ${extent.rows} rows of log`
  const advice: string[] = []
  if (freeBytes >= noticedBytes && freeBytes >= bytes * noticedShare)
    advice.push(
      `of which ${inGibibytes(freeBytes)} GiB are unused: new entries take them, or stop the gateway and run tollgate shrink`,
    )
  if (extent !== undefined && isOutgrown(extent))
    advice.push(
      'which is much for one file: keep fewer days of the log, or carry everything to PostgreSQL with tollgate move --to postgres://user:password@host/database',
    )
  return advice.length === 0
    ? [ok('database size', text)]
    : advice.map((words) => warn('database size', `${text}, ${words}`))
}

function inGibibytes(bytes: number): string {
  return (bytes / gibibyte).toFixed(1)
}
