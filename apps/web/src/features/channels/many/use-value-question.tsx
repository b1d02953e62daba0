import { type ReactNode, Suspense, useState } from 'react'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import type { AskValue, BulkField, ValueAnswer } from './value-dialog.tsx'

const ValueDialog = lazyComponent(() => import('./value-dialog.tsx'), 'ValueDialog')

interface Pending {
  readonly field: BulkField
  readonly count: number
  readonly answer: (answer: ValueAnswer | undefined) => void
}

/** A dialog that asks for one value, as a question to wait for. */
export function useValueQuestion(): { readonly ask: AskValue; readonly dialog: ReactNode } {
  const [pending, setPending] = useState<Pending>()
  const ask: AskValue = (field, count) =>
    new Promise((resolve) =>
      setPending({
        field,
        count,
        answer(answer) {
          setPending(undefined)
          resolve(answer)
        },
      }),
    )
  return { ask, dialog: <Suspense>{pending && <ValueDialog {...pending} />}</Suspense> }
}
