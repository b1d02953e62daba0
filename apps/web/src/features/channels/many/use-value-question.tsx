import { lazy, type ReactNode, Suspense, useState } from 'react'

const ValueDialog = lazy(() =>
  import('./value-dialog.tsx').then((module) => ({ default: module.ValueDialog })),
)

export type BulkField = 'tag' | 'priority' | 'weight'

/** `null` takes a tag off. */
export interface ValueAnswer {
  readonly value: string | null
}

/** Asks what to set; `undefined` when the person thinks better of it. */
export type AskValue = (field: BulkField, count: number) => Promise<ValueAnswer | undefined>

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
