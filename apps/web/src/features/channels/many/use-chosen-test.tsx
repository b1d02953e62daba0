import type { RowOutcome } from '@tollgate/api'
import { Square } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { testChannel } from '../api.ts'
import { testChosen } from './test-chosen.ts'

interface Progress {
  readonly done: number
  readonly failed: number
  readonly total: number
}

/** A test of the chosen channels with its progress and the way to stop it. It stops when the page is left. */
export function useChosenTest(): {
  readonly test: (ids: readonly number[]) => Promise<readonly RowOutcome[]>
  readonly notice: ReactNode
} {
  const [progress, setProgress] = useState<Progress>()
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
  return { test, notice: progress && <ChosenNotice {...progress} onStop={stop} /> }
}

function ChosenNotice({ done, failed, total, onStop }: Progress & { readonly onStop: () => void }) {
  const { t } = useTranslation('channels')
  const label = t('run.chosenRunning')
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded bg-info-soft px-3 py-1.5 text-sm">
      <span>{label}</span>
      <RunProgress done={done} total={total} label={label} />
      {failed > 0 && <span className="text-bad text-xs">{t('run.failed', { count: failed })}</span>}
      <Button size="sm" icon={Square} className="ml-auto" onClick={onStop}>
        {t('test.stop')}
      </Button>
    </div>
  )
}
