import { createSharedState, useSharedState } from './shared-state.ts'

/** The session ended under something typed: the frame asks for the password over it. */
const asking = createSharedState(false)

export function requestReauthentication(): void {
  asking.set(true)
}

export function endReauthentication(): void {
  asking.set(false)
}

export function useReauthentication(): boolean {
  return useSharedState(asking)
}
