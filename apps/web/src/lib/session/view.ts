import { fieldsOf, numberOf, parseJson } from '../format/json.ts'

/** A view of the console as another user, in this tab alone. */
export interface ConsoleView {
  /** The user as whom the console is seen, as a log-in would return them. */
  readonly user: unknown
  /** The administrator who sees it. */
  readonly ownId: number
  /** Unix seconds. */
  readonly endsAt: number
}

const stored = 'view-as'

/** Returns the view of this tab; undefined where it has none, or the browser forbids storage. */
export function currentView(): ConsoleView | undefined {
  try {
    const { user, ownId, endsAt } = fieldsOf(parseJson(sessionStorage.getItem(stored) ?? ''))
    const [own, end] = [numberOf(ownId), numberOf(endsAt)]
    return own === undefined || end === undefined ? undefined : { user, ownId: own, endsAt: end }
  } catch {
    return undefined
  }
}

/** Loads the console as the user sees it: nothing that was read before stays in memory. */
export function beginView(view: ConsoleView): void {
  sessionStorage.setItem(stored, JSON.stringify(view))
  location.assign('/token')
}

/** Forgets the view, without a word to the server. */
export function forgetView(): void {
  sessionStorage.removeItem(stored)
}

/** Loads the console as the administrator themselves see it. */
export function leaveView(): void {
  forgetView()
  location.assign('/user')
}
