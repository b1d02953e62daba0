import { StoreFault } from '../../errors.ts'

/** A lock with one holder at a time; the others wait in the order of their calls. */
export interface Mutex {
  /** Resolves with the function that releases it. Rejects when the wait takes longer than `timeoutMs`. */
  acquire(): Promise<() => void>
}

export function createMutex(what: string, timeoutMs: number): Mutex {
  const waiting: (() => void)[] = []
  let held = false

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) held = false
    else next()
  }

  /** A second release must not admit two callers. */
  function ticket(): () => void {
    let provided = false
    return () => {
      if (provided) return
      provided = true
      release()
    }
  }

  return {
    async acquire() {
      if (!held) {
        held = true
        return ticket()
      }
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(new StoreFault('busy', `Waited ${timeoutMs / 1000} s for ${what}.`))
        }, timeoutMs)
        const enter = () => {
          clearTimeout(timer)
          resolve()
        }
        waiting.push(enter)
      })
      return ticket()
    },
  }
}
