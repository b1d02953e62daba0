import type { FileExtent } from '../store/repositories/usage.ts'
import type { Store } from '../store/store.ts'
import { type Finding, ok, warn } from './finding.ts'

/** Log pages and statistics over one file are held to their times up to so many rows. */
const maxLogRows = 10_000_000
const gibibyte = 2 ** 30
/** A backup copies the file whole, and needs twice its size beside it. */
const maxFileBytes = 32 * gibibyte

/** Whether a file is better moved to PostgreSQL. */
export function isOutgrown({ rows, bytes }: FileExtent): boolean {
  return rows > maxLogRows || bytes > maxFileBytes
}

/** Whether one file still does. Nothing is said where the database is a server. */
export async function checkGrowth({ usage }: Pick<Store, 'usage'>): Promise<readonly Finding[]> {
  const extent = await usage.fileExtent()
  if (extent === undefined) return []
  const text = `the usage log has ${extent.rows} rows, in a file of ${(extent.bytes / gibibyte).toFixed(1)} GiB`
  return isOutgrown(extent)
    ? [
        warn(
          'size',
          `${text}: keep fewer days of it, or carry everything to PostgreSQL with tollgate move --to postgres://user:password@host/database`,
        ),
      ]
    : [ok('size', text)]
}
