import type { ChangeBus } from '../../../store/change-events.ts'
import type { Deadline, Deadlines } from '../../../upstream/deadlines.ts'
import type { RelayCaller } from '../admission.ts'
import { RelayError } from '../relay-error.ts'

/** Period of a check for what no event announces: the end of a key's time. */
const lookAgainMs = 15_000

interface WatchDependencies {
  readonly bus: Pick<ChangeBus, 'subscribe'>
  readonly deadlines: Pick<Deadlines, 'start'>
  /** Resolves when every change of a channel is in routing. */
  readonly channelsSettled: () => Promise<void>
  /** Hears why a changed caller could not be checked. Must not throw. */
  readonly failed: (error: unknown) => void
}

/** A call that outlasts its admission, on its channel. */
export interface WatchedCall {
  readonly channelId: number
  /** Throws `RelayError` where the call may not go on for its caller, as they are admitted by now. */
  readonly refuse: (caller: RelayCaller) => void
}

/** Calls `tell` with the reason when a caller may no longer call, or the call may not go on; returns a function that ends the watch. */
export type WatchCaller = (tell: (reason: RelayError) => void, call: WatchedCall) => () => void

/**
 * Creates the watch of a call that outlasts its admission: it admits the caller again at once, when the key, its owner, the channel or an option
 * changes, on whichever node, and from time to time. Whatever refuses a new call ends this one.
 * @param caller as it was admitted
 * @param admit admits the same key again, without asking for a balance, which the call itself may hold
 */
export function createCallerWatch(
  { user, tokenId }: Pick<RelayCaller, 'user' | 'tokenId'>,
  admit: () => RelayCaller | Promise<RelayCaller>,
  { bus, deadlines, channelsSettled, failed }: WatchDependencies,
): WatchCaller {
  return (tell, { channelId, refuse: refuseCall }) => {
    let isOver = false
    let next: Deadline | undefined
    const refuse = (error: unknown) => {
      if (isOver) return
      if (error instanceof RelayError && error.code !== 'database_unavailable') tell(error)
      else failed(error)
    }
    const look = async () => {
      try {
        const again = await admit()
        if (again.user.id !== user.id) throw movedKey()
        if (!isOver) refuseCall(again)
      } catch (error) {
        refuse(error)
      }
    }
    const repeat = () => {
      void look()
      next = deadlines.start(lookAgainMs, repeat)
    }
    const subscriptions = [
      bus.subscribe('token-changed', ({ id }) => id === tokenId && look()),
      bus.subscribe('user-changed', ({ id }) => id === user.id && look()),
      bus.subscribe('channels-changed', async ({ ids }) => {
        if (!ids.includes(channelId)) return
        await channelsSettled()
        await look()
      }),
      bus.subscribe('options-changed', look),
      bus.subscribe('everything-changed', async () => {
        await channelsSettled()
        await look()
      }),
    ]
    repeat()
    return () => {
      isOver = true
      next?.clear()
      for (const end of subscriptions) end()
    }
  }
}

/** Two accounts became one: the balance that pays for the call is no longer the key's. */
function movedKey(): RelayError {
  return new RelayError('invalid_api_key', 'This API key has another owner now. Open another session.')
}
