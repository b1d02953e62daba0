import type { ChangeBus } from '../store/change-events.ts'
import { channelNotice, channelTestNotice } from './messages.ts'
import type { Notifier } from './notifier.ts'

/** Notifies the super admin of the gateway's own decisions about channels. Returns the function that ends it. */
export function notifyRootOfChannels(bus: ChangeBus, notifier: Pick<Notifier, 'notifyRoot'>): () => void {
  const ends = [
    bus.subscribe('channel-status-changed', (event) => notifier.notifyRoot(channelNotice(event))),
    bus.subscribe('channel-test-finished', (event) => notifier.notifyRoot(channelTestNotice(event))),
  ]
  return () => {
    for (const end of ends) end()
  }
}
