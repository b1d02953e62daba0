import { z } from 'zod'
import type { FleetMessages } from '../../fleet/messages.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { type HealthHint, healthHint } from './health-hint.ts'
import type { HealthRegistry } from './health-types.ts'

/** Type of the messages that carry hints about the health of channels. */
export const healthHints = 'channel-health'

const message = z.object({ type: z.literal(healthHints), hints: z.array(z.unknown()) })

interface Dependencies {
  readonly messages: FleetMessages
  readonly health: Pick<HealthRegistry, 'hear'>
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'settled'>
}

/** Has the health of channels take up what other nodes report. Returns the function that ends it. */
export function hearHealthHints({ messages, health, directory }: Dependencies): () => void {
  async function take(hint: HealthHint): Promise<void> {
    // The change that led to it was announced before: attempts must not fail any more by what was changed.
    if (hint.state === 'reset') await directory.settled()
    if (hint.state === 'deleted' || directory.snapshot.channel(hint.channelId) !== undefined)
      health.hear(hint)
  }
  return messages.subscribe((received) => {
    for (const each of message.safeParse(received).data?.hints ?? []) {
      // Another version may report what this one does not know.
      const { data } = healthHint.safeParse(each)
      if (data !== undefined) void take(data)
    }
  })
}
