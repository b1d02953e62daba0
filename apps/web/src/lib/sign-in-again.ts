import { createSharedState, useSharedState } from './shared-state.ts'

/** The session ended under something typed: the frame asks for the password over it. */
const asking = createSharedState(false)

export function askToSignInAgain(): void {
  asking.set(true)
}

export function signedInAgain(): void {
  asking.set(false)
}

export function useSignInAgain(): boolean {
  return useSharedState(asking)
}
