import { existsSync } from 'node:fs'
import { foreignFiles, ownerOf } from '../../lib/service/data-owner.ts'
import { type Finding, fail, ok } from './finding.ts'

/** Checks that everything in the data directory belongs to its owner, as whom the gateway runs, and can be read by it. */
export async function checkOwner(dataDir: string): Promise<readonly Finding[]> {
  const owner = existsSync(dataDir) ? ownerOf(dataDir) : undefined
  if (owner === undefined) return []
  const found = foreignFiles(dataDir, owner)
  const [first] = found
  if (first === undefined)
    return [ok('permissions', `everything in ${dataDir} belongs to its owner (uid ${owner.uid})`)]
  const more = found.length > 1 ? ` and ${found.length - 1} more` : ''
  return [
    fail(
      'permissions',
      `${first.path}${more} ${first.fault}, and the gateway of ${dataDir} runs as uid ${owner.uid}: chown -R ${owner.uid}:${owner.gid} ${dataDir} && chmod -R u+rwX ${dataDir}`,
    ),
  ]
}
