import type { Store } from '../store/store.ts'
import { type Finding, ok, warn } from './finding.ts'

const gibibyte = 2 ** 30
/** From so much, and so large a part of the file, it is worth a stop. */
const noticedBytes = gibibyte
const noticedShare = 0.5

/** How large the database is, and whether a cleared log left room in its file that the disk could have. */
export async function checkSize({ installation }: Pick<Store, 'installation'>): Promise<readonly Finding[]> {
  const { bytes, freeBytes } = await installation.size()
  const text = `the database has ${inGibibytes(bytes)} GiB`
  const isSparse = freeBytes >= noticedBytes && freeBytes >= bytes * noticedShare
  return isSparse
    ? [
        warn(
          'database size',
          `${text}, of which ${inGibibytes(freeBytes)} GiB are unused: new entries take them, or stop the gateway and run tollgate shrink`,
        ),
      ]
    : [ok('database size', text)]
}

function inGibibytes(bytes: number): string {
  return (bytes / gibibyte).toFixed(1)
}
