import { useSyncExternalStore } from 'react'

/** A question before something that cannot be taken back. Texts are already translated. */
export interface Question {
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly description: string
  /** The verb: "Delete channel". */
  readonly confirmLabel: string
  readonly danger?: boolean
}

export interface PendingQuestion extends Question {
  readonly answer: (yes: boolean) => void
}

let pending: PendingQuestion | undefined
const listeners = new Set<() => void>()

function setPending(next: PendingQuestion | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Asks and waits for the answer: `if (await confirm({ … })) remove.mutate(id)`. A second question answers the first with no. */
export function confirm(question: Question): Promise<boolean> {
  pending?.answer(false)
  return new Promise((resolve) => {
    setPending({
      ...question,
      answer: (yes) => {
        setPending(undefined)
        resolve(yes)
      },
    })
  })
}

/** The question on screen, for the frame. */
export function usePendingQuestion(): PendingQuestion | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
  )
}
