import { type ChannelReasonCode, isChannelReasonCode } from '@tollgate/api'
import { z } from 'zod'

/** Target of a cooldown: a model of the channel, one of its keys, or a key for one model. */
export type CooldownTarget =
  | { readonly model: string; readonly keyIndex?: undefined }
  | { readonly model?: undefined; readonly keyIndex: number }
  | { readonly model: string; readonly keyIndex: number }

const channelId = z.number().int()
const about = { channelId, model: z.string().optional(), keyIndex: z.number().int().min(0).optional() }
const reason = z.object({
  code: z.custom<ChannelReasonCode>((code) => typeof code === 'string' && isChannelReasonCode(code)),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** The wire form of a hint. */
export const healthHint = z.discriminatedUnion('state', [
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

/** Finding of one node about the health of a channel, for the others. Durations, since clocks differ. */
export type HealthHint = z.output<typeof healthHint>
export type HintOf<State extends HealthHint['state']> = Extract<HealthHint, { readonly state: State }>

/** Returns the target of a hint's cooldown. */
export function targetOf({ model, keyIndex }: HintOf<'open' | 'probing' | 'closed'>): CooldownTarget {
  if (keyIndex === undefined) return { model: model ?? '' }
  return model === undefined ? { keyIndex } : { model, keyIndex }
}

/** Returns the subject of a hint: a newer hint about the same replaces an older one. */
export function subjectOf(hint: HealthHint): string {
  if (hint.state === 'reset' || hint.state === 'deleted') return `${hint.channelId}`
  return `${hint.channelId}/${hint.keyIndex ?? ''}/${hint.model ?? ''}`
}
