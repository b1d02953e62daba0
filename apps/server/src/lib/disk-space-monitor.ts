import { statfs } from 'node:fs/promises'

interface Options {
  readonly directory: string
  /** Free space below which the disk counts as full. */
  readonly minBytes: number
  readonly everyMs?: number
}

const defaultEveryMs = 500

/** Checks at once and then regularly. A disk that cannot be checked counts as having space. */
export async function createDiskSpaceMonitor({ directory, minBytes, everyMs = defaultEveryMs }: Options) {
  let hasSpace = true

  async function look(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(directory)
      hasSpace = bavail * bsize >= minBytes
    } catch {
      hasSpace = true
    }
  }

  await look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    get hasSpace(): boolean {
      return hasSpace
    },
    close: (): void => clearInterval(timer),
  }
}
