import type { RowOutcome } from '@tollgate/api'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyComponent } from '../../../lib/lazy-component.ts'

const ManyDialog = lazyComponent(() => import('./many-dialog.tsx'), 'ManyDialog')

interface Pending {
  readonly ids: readonly number[]
  readonly done: (outcomes: readonly RowOutcome[] | undefined) => void
}

/** A change of many channels as a question to wait for: resolves with what became of each, or nothing. */
export function useManyEdit(): {
  readonly edit: (ids: readonly number[]) => Promise<readonly RowOutcome[] | undefined>
  readonly dialog: ReactNode
} {
  const [pending, setPending] = useState<Pending>()
  const edit = (ids: readonly number[]) =>
    new Promise<readonly RowOutcome[] | undefined>((resolve) =>
      setPending({
        ids,
        done(outcomes) {
          setPending(undefined)
          resolve(outcomes)
        },
      }),
    )
  return { edit, dialog: <Suspense>{pending && <ManyDialog {...pending} />}</Suspense> }
}
