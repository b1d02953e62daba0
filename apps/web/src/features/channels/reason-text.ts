import { type ChannelReasonParams, channelReasonText, isChannelReasonCode } from '@tollgate/api'

/** Reason in the form of the wire: a code with parameters, or the text alone that an older version wrote down. */
export interface WireReason {
  readonly reason: string
  readonly reason_code: string
  readonly reason_params: ChannelReasonParams
}

export const noReason: WireReason = { reason: '', reason_code: '', reason_params: {} }

/** A reason in the reader's language; empty when there is none. */
export function reasonText({ reason, reason_code, reason_params }: WireReason, language: string): string {
  if (!isChannelReasonCode(reason_code)) return reason
  return channelReasonText(
    { code: reason_code, params: reason_params },
    language.startsWith('zh') ? 'zh' : 'en',
  )
}

/** The reason without the upstream's own words; as it is where it is a text alone. */
export function withoutDetail({ reason, reason_code, reason_params }: WireReason): WireReason {
  const { detail: _, ...params } = reason_params
  return { reason, reason_code, reason_params: params }
}
