import { statSync } from 'node:fs'

const forbidden = ['EACCES', 'EPERM']
const full = ['ENOSPC', 'EDQUOT']

/** Says why a folder of data cannot be used and what to do: full, forbidden and broken ask for different things. */
export function describeUnusable(dataDir: string, cause: unknown): string {
  const { code = '', path = dataDir } = cause as NodeJS.ErrnoException
  if (full.includes(code)) return `is full (${code}): make room`
  if (code === 'EROFS')
    return `is mounted read-only (${code}): mount it for writing, after a look at the disk`
  if (!forbidden.includes(code)) return `cannot be used (${code}): look at ${path}`
  const user = `uid ${process.geteuid?.() ?? ''}`
  return `cannot be used by ${user} (${code}): ${ownersOf(path, dataDir)}; give it to ${user}, or run this as its owner`
}

/** Names the owner of the refused path, as far as it can be read. */
function ownersOf(path: string, dataDir: string): string {
  for (const position of [path, dataDir]) {
    const stats = lookAt(position)
    if (stats !== undefined)
      return `${position} belongs to uid ${stats.uid} with mode ${(stats.mode & 0o777).toString(8)}`
  }
  return `${dataDir} lies in a folder that may not be entered`
}

function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
