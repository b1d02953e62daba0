import { writeLocal } from './local-store.ts'
import { createSharedState, useSharedState } from './shared-state.ts'

/** A call was refused until its person proves once more who they are: the frame asks, and the caller waits. */
interface PendingProof {
  readonly given: Promise<boolean>
  readonly answer: (isGiven: boolean) => void
}

const pending = createSharedState<PendingProof | undefined>(undefined)

/** Resolves to whether the proof was given. Calls that are refused at the same time wait for the same one. */
export function requestProof(): Promise<boolean> {
  const known = pending.get()
  if (known !== undefined) return known.given
  let answer: PendingProof['answer'] = () => {}
  const given = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  pending.set({ given, answer })
  return given
}

/** The person has proven who they are, or would rather not. */
export function endProof(isGiven: boolean): void {
  const known = pending.get()
  pending.set(undefined)
  writeLocal('proving', null)
  known?.answer(isGiven)
}

export function useProofRequested(): boolean {
  return useSharedState(pending) !== undefined
}
