import { statfs } from 'node:fs/promises'

interface Options {
  readonly directory: string
  /** Below this much free space there is no room. */
  readonly minimumBytes: number
  readonly everyMs?: number
}

const defaultEveryMs = 500

/** Looks at once and then again and again. A disk that cannot be asked is taken to have room. */
export async function createDiskSpaceMonitor({ directory, minimumBytes, everyMs = defaultEveryMs }: Options) {
  let hasSpace = true

  async function look(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(directory)
      hasSpace = bavail * bsize >= minimumBytes
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
