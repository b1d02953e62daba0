import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { secretFiles } from '../../lib/master-secret.ts'
import { describeUnusable } from '../../lib/service/describe-unusable.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const gibibyte = 2 ** 30
const lowBytes = gibibyte
const fullBytes = 64 * 2 ** 20
const slowSyncMs = 100
const syncs = 5

/** Types of file systems by their number (statfs(2)) on which SQLite and the journal do not work, or do not last. */
const unfitFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021994, 'memory (tmpfs)'],
])

/** The data directory: that it can be written, lasts, has room, and is closed to others. */
export async function checkDisk(dataDir: string): Promise<readonly Finding[]> {
  if (!existsSync(dataDir))
    return [warn('data folder', `${dataDir} is not there yet: the first start makes it`)]
  return [space(dataDir), fileSystem(dataDir), durability(dataDir), ...modes(dataDir)]
}

function space(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const text = `${(free / gibibyte).toFixed(1)} GiB are free in ${dataDir}`
  if (free < fullBytes) return fail('disk space', `${text}: no call is taken without room, make some`)
  if (free < lowBytes)
    return warn('disk space', `${text}: make room, or shorten the time that log entries are kept`)
  return ok('disk space', text)
}

function fileSystem(dataDir: string): Finding {
  const unfit = unfitFileSystems.get(statfsSync(dataDir).type)
  if (unfit === undefined) return ok('file system', 'local')
  const text = `${dataDir} is on ${unfit}: put it on a local disk, because locks or data do not last there`
  return unfit.startsWith('memory') ? warn('file system', text) : fail('file system', text)
}

function durability(dataDir: string): Finding {
  const path = join(dataDir, `.doctor-${process.pid}`)
  try {
    const descriptor = openSync(path, 'w', 0o600)
    const startedAt = performance.now()
    try {
      for (let index = 0; index < syncs; index += 1) {
        writeSync(descriptor, 'x')
        fdatasyncSync(descriptor)
      }
    } finally {
      closeSync(descriptor)
    }
    const ms = (performance.now() - startedAt) / syncs
    const text = `a write reaches the disk in ${ms.toFixed(1)} ms`
    return ms > slowSyncMs
      ? warn('disk', `${text}: a faster disk makes every change faster`)
      : ok('disk', text)
  } catch (error) {
    return fail('disk', `${dataDir} ${describeUnusable(dataDir, error)}`)
  } finally {
    rmSync(path, { force: true })
  }
}

function modes(dataDir: string): Finding[] {
  if (process.platform === 'win32') return []
  return secretFiles(dataDir).map((name) => {
    const path = join(dataDir, name)
    const { mode } = statSync(path)
    return (mode & 0o077) === 0
      ? ok('secret file', `${path} is closed to others`)
      : fail('secret file', `others may read ${path}: chmod 600 ${path}`)
  })
}
