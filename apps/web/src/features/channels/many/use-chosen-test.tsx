import type { RowOutcome } from '@tollgate/api'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { testChannel } from '../api.ts'
import { type ChosenProgress, testChosen } from './test-chosen.ts'

const ChosenNotice = lazyComponent(() => import('./run-notice.tsx'), 'ChosenNotice')

/** A test of the chosen channels with its progress and the way to stop it. It stops when the page is left. */
export function useChosenTest(): {
  readonly test: (ids: readonly number[]) => Promise<readonly RowOutcome[]>
  readonly notice: ReactNode
} {
  const [progress, setProgress] = useState<ChosenProgress>()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  async function test(ids: readonly number[]): Promise<readonly RowOutcome[]> {
    const mine = new AbortController()
    controller.current = mine
    const total = ids.length
    setProgress({ done: 0, failed: 0, total })
    try {
      return await testChosen(ids, (id) => testChannel(id), {
        signal: mine.signal,
        onProgress: (done, failed) => setProgress({ done, failed, total }),
      })
    } finally {
      setProgress(undefined)
    }
  }

  const stop = () => controller.current?.abort()
  return { test, notice: <Suspense>{progress && <ChosenNotice {...progress} onStop={stop} />}</Suspense> }
}
