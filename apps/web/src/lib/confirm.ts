import { createSharedState, useSharedState } from './shared-state.ts'

/** A question before something that cannot be taken back. Texts are already translated. */
export interface Question {
  readonly title: string
  /** Sentence about the effect, and whether it can be undone. */
  readonly description: string
  /** The verb: "Delete channel". */
  readonly confirmLabel: string
  readonly danger?: boolean
  /** Lines that the description has no room for: they unfold below. */
  readonly more?: { readonly label: string; readonly lines: readonly string[] }
}

export interface PendingQuestion extends Question {
  readonly answer: (yes: boolean) => void
}

const pending = createSharedState<PendingQuestion | undefined>(undefined)

/**
 * Asks and waits for the choice: `if (await confirm({ … })) remove.mutate(id)`. A second question answers the first
 * with no.
 */
export function confirm(question: Question): Promise<boolean> {
  pending.get()?.answer(false)
  return new Promise((resolve) => {
    pending.set({
      ...question,
      answer: (yes) => {
        pending.set(undefined)
        resolve(yes)
      },
    })
  })
}

/** The question on screen, for the frame. */
export function usePendingQuestion(): PendingQuestion | undefined {
  return useSharedState(pending)
}
