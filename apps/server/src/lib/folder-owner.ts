import { chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Gives a file that root has made to the owner of its folder: a service that runs as that user must be able to read it. */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  chownSync(path, uid, gid)
}
