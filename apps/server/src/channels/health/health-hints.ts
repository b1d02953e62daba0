import { type ChannelReasonCode, isChannelReasonCode } from '@tollgate/api'
import { z } from 'zod'
import type { FleetMessages } from '../../fleet/messages.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import type { CooldownTarget } from './channel-health.ts'
import type { HealthBook } from './health-types.ts'

const channelId = z.number().int()
const about = { channelId, model: z.string().optional(), keyIndex: z.number().int().min(0).optional() }
const reason = z.object({
  code: z.custom<ChannelReasonCode>((code) => typeof code === 'string' && isChannelReasonCode(code)),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

const hint = z.discriminatedUnion('state', [
  z.object({
    ...about,
    state: z.literal('open'),
    leftMs: z.number().min(0),
    round: z.number().min(0),
    reason,
  }),
  z.object({ ...about, state: z.literal('probing') }),
  z.object({ ...about, state: z.literal('closed') }),
  z.object({ channelId, state: z.literal('reset') }),
  z.object({ channelId, state: z.literal('deleted') }),
])

/** What one node found out about the health of a channel, for the others. Durations, since clocks differ. */
export type HealthHint = z.output<typeof hint>
export type HintOf<State extends HealthHint['state']> = Extract<HealthHint, { readonly state: State }>

/** What a hint's cooldown covers. */
export function targetOf({ model, keyIndex }: HintOf<'open' | 'probing' | 'closed'>): CooldownTarget {
  if (keyIndex === undefined) return { model: model ?? '' }
  return model === undefined ? { keyIndex } : { model, keyIndex }
}

/** A newer hint about the same takes the place of an older one. */
export function subjectOf(given: HealthHint): string {
  if (given.state === 'reset' || given.state === 'deleted') return `${given.channelId}`
  return `${given.channelId}/${given.keyIndex ?? ''}/${given.model ?? ''}`
}

/** Type of the messages that carry hints about the health of channels. */
export const healthHints = 'channel-health'

const message = z.object({ type: z.literal(healthHints), hints: z.array(z.unknown()) })

interface Dependencies {
  readonly messages: FleetMessages
  readonly health: Pick<HealthBook, 'hear'>
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'settled'>
}

/** Has the health of channels take up what other nodes report. Returns the function that ends it. */
export function hearHealthHints({ messages, health, directory }: Dependencies): () => void {
  async function take(given: HealthHint): Promise<void> {
    // The change that led to it was announced before: attempts must not fail any more by what was changed.
    if (given.state === 'reset') await directory.settled()
    if (given.state === 'deleted' || directory.snapshot.channel(given.channelId) !== undefined)
      health.hear(given)
  }
  return messages.subscribe((received) => {
    for (const each of message.safeParse(received).data?.hints ?? []) {
      // Another version may report what this one does not know.
      const { data } = hint.safeParse(each)
      if (data !== undefined) void take(data)
    }
  })
}
