import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** User and group as which the service runs. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Error for a command whose files the service could not read; the message is one sentence for the terminal. */
class DataOwnerError extends Error {
  override readonly name = 'DataOwnerError'
}

const root = 0
/** Made by file systems, and root's. */
const ofFileSystem = 'lost+found'
/** Entries whose owner is that of the gateway, where the folder itself belongs to root, as mounted volumes do. */
const written = ['journal', 'tollgate.db', 'secret.key']

/**
 * Finds the user as whom the gateway of a data folder runs: its owner, or that of its files. `undefined` on systems without owners.
 */
export function ownerOf(dataDir: string): Owner | undefined {
  if (process.geteuid === undefined || !existsSync(dataDir)) return undefined
  const positions = [dataDir, ...written.map((name) => join(dataDir, name))]
  const owners = positions.flatMap((path) => lookAt(path) ?? [])
  const owner = owners.find(({ uid }) => uid !== root) ?? owners[0]
  return owner && { uid: owner.uid, gid: owner.gid }
}

/** Reads the facts of a path; one that cannot be read has no known owner. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** A file that the owner of its data folder does not have, or cannot use. */
interface ForeignFile {
  readonly path: string
  /** `belongs to uid 0`, `cannot be read by its owner`. */
  readonly fault: string
}

/** Finds what its gateway could not read or write. */
export function foreignFiles(dataDir: string, owner: Owner): ForeignFile[] {
  if (owner.uid === root) return []
  return [...everythingIn(dataDir)].flatMap(({ path, stats }) => {
    if (stats.uid !== owner.uid) return [{ path, fault: `belongs to uid ${stats.uid}` }]
    const needed = stats.isDirectory() ? 0o700 : 0o600
    return (stats.mode & needed) === needed
      ? []
      : [{ path, fault: 'cannot be read and written by its owner' }]
  })
}

/**
 * Use of the data folder by a command. `writes`: nobody but root and the owner may begin it · `serves`: as far as the system allows it
 * · `reads`: what lay there before stays as it is.
 */
export type DataUse = 'writes' | 'serves' | 'reads'

/**
 * Runs a command's work so that what root writes in a data folder belongs to its owner at the end, however it ends.
 * @throws DataOwnerError with one sentence
 */
export async function keepingOwner<Result>(
  dataDir: string,
  use: DataUse,
  work: () => Promise<Result>,
): Promise<Result> {
  if (use === 'writes') refuseStranger(dataDir)
  const untouched = use === 'reads' ? filesOfRoot(dataDir) : new Set<string>()
  const giveBack = () => giveToOwner(dataDir, 'where allowed', untouched)
  // The process may end by `exit`, and what a killed one has left is given back by the next that writes.
  process.once('exit', giveBack)
  giveBack()
  const result = await work()
  giveToOwner(dataDir, use === 'writes' ? 'strictly' : 'where allowed', untouched)
  return result
}

function filesOfRoot(dataDir: string): ReadonlySet<string> {
  if (process.geteuid?.() !== root || !existsSync(dataDir)) return new Set()
  return new Set([...everythingIn(dataDir)].flatMap(({ path, stats }) => (stats.uid === root ? path : [])))
}

function refuseStranger(dataDir: string): void {
  const owner = ownerOf(dataDir)
  const uid = process.geteuid?.()
  if (owner === undefined || uid === undefined || uid === root || uid === owner.uid || owner.uid === root)
    return
  throw new DataOwnerError(
    `${dataDir} belongs to uid ${owner.uid}, and you are uid ${uid}: its gateway could not read what this writes, so run it as root or as that user`,
  )
}

/**
 * Gives what root owns in a data folder to the folder's owner.
 * @param manner `strictly` throws a DataOwnerError where that is not allowed
 * @param untouched paths that stay as they are
 */
export function giveToOwner(
  dataDir: string,
  manner: 'strictly' | 'where allowed',
  untouched: ReadonlySet<string> = new Set(),
): void {
  const owner = process.geteuid?.() === root ? ownerOf(dataDir) : undefined
  if (owner === undefined || owner.uid === root) return
  for (const { path, at, stats } of everythingIn(dataDir)) {
    // A second name may be of a file elsewhere, which somebody wants to be given.
    if (stats.uid !== root || untouched.has(path) || (stats.isFile() && stats.nlink > 1)) continue
    try {
      lchownSync(at, owner.uid, owner.gid)
    } catch (cause) {
      if (manner === 'strictly') throw notAllowed(path, owner, cause)
    }
  }
}

function notAllowed(path: string, { uid }: Owner, cause: unknown): DataOwnerError {
  const { code } = cause as NodeJS.ErrnoException
  return new DataOwnerError(
    `${path} belongs to root and cannot be given to uid ${uid} (${code}), as whom the gateway runs: run this as that user`,
    { cause },
  )
}

/**
 * Says which file in a data folder this process may not use because it is somebody else's; empty where there is none. For a
 * start that fails: a command run by root, or a copy, has left it.
 */
export function ownerHint(dataDir: string): string {
  const uid = process.geteuid?.()
  const gid = process.getegid?.()
  if (uid === undefined || gid === undefined || uid === root) return ''
  // A stranger is told nothing that would take the folder from its gateway.
  if (ownerOf(dataDir)?.uid !== uid) return ''
  try {
    const [first] = foreignFiles(dataDir, { uid, gid })
    if (first === undefined) return ''
    return ` ${first.path} ${first.fault}, and this runs as uid ${uid}: chown -R ${uid}:${gid} ${dataDir}`
  } catch {
    // A folder that may not be entered says it in the error itself.
    return ''
  }
}

/** Makes a new file one of its folder's owner, before anybody looks for it. */
export function giveToFolderOwner(descriptor: number, path: string): void {
  if (process.geteuid?.() !== root) return
  const { uid, gid } = statSync(dirname(path))
  if (uid === root) return
  try {
    fchownSync(descriptor, uid, gid)
  } catch (error) {
    // A container may forbid it; then its root reads everything.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') {
      closeSync(descriptor)
      throw error
    }
  }
}

interface Entry {
  readonly path: string
  /** The same by a descriptor of its folder, where the system has those as paths. */
  readonly at: string
  readonly stats: Stats
}

function everythingIn(dataDir: string): Generator<Entry> {
  return below(realpathSync(dataDir), dataDir)
}

/**
 * Yields the entries below a folder, without following links. Each folder is held open: anyone who may write in it could put a link in
 * its place between two looks, and be given what lies behind it.
 */
function* below(directory: string, path: string): Generator<Entry> {
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const ofDescriptor = `/proc/self/fd/${descriptor}`
    const base = existsSync(ofDescriptor) ? ofDescriptor : directory
    for (const name of readdirSync(base)) {
      const entry = { path: join(path, name), at: join(base, name) }
      const stats = lstatSync(entry.at, { throwIfNoEntry: false })
      if (stats === undefined || stats.isSymbolicLink() || name === ofFileSystem) continue
      yield { ...entry, stats }
      if (stats.isDirectory()) yield* below(entry.at, entry.path)
    }
  } finally {
    closeSync(descriptor)
  }
}
