import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { capitalizeSentence } from '../../lib/format/capitalize-sentence.ts'
import { formatDate, formatDateTime } from '../../lib/format/format.ts'
import { automaticEnablingQuery } from './api.ts'
import type { ChannelState } from './channel-state.ts'
import { reasonText, withoutDetail } from './reason-text.ts'

/** Time of day when the moment is today, else the date with it. */
export function momentText(unixSeconds: number, now: Date = new Date()): string {
  const text = formatDateTime(unixSeconds)
  const [day = '', time = ''] = text.split(' ')
  return formatDate(now).startsWith(day) ? time : text
}

/**
 * Why a channel is not simply in service and when it is tried again, in one sentence; `undefined` when there is
 * nothing to explain.
 * @param brief without since when and the upstream's own words, for a row
 */
export function useStateSentence(state: ChannelState, brief = false): string | undefined {
  const { t, i18n } = useTranslation('channels')
  const automatic = useQuery({
    ...automaticEnablingQuery,
    enabled: state.word === 'auto-disabled' && state.retryAt === 0,
  })
  const shownReason = brief ? withoutDetail(state.reason) : state.reason
  const reason = reasonText(shownReason, i18n.language) || t('state.noReason')
  const retry = state.retryAt > 0 ? t('state.retryAt', { time: momentText(state.retryAt) }) : undefined
  switch (state.word) {
    case 'auto-disabled': {
      const since = state.since > 0 && !brief ? t('state.sinceTime', { time: momentText(state.since) }) : ''
      const next = retry ?? t(automatic.data === true ? 'state.probed' : 'state.staysOff')
      return capitalizeSentence(t('state.autoDisabledSentence', { since, reason, next }))
    }
    case 'resting':
      return capitalizeSentence(t('state.restingSentence', { reason, next: retry ?? t('state.retrySoon') }))
    case 'probing':
      return t('state.probingSentence', { reason })
    case 'failing':
      return t('state.failingSentence', { reason })
    case 'enabled':
      return keysSentence(state, t)
    default:
      return undefined
  }
}

/** How many keys are in service and why the others are not; `undefined` when all are. */
function keysSentence(state: ChannelState, t: TFunction<'channels'>): string | undefined {
  const { keyCount: count, keysInService: inService, keysDisabled, keysResting } = state
  if (count === 0 || inService >= count) return undefined
  const others = [
    keysDisabled > 0 && t('state.keysDisabled', { count: keysDisabled }),
    keysResting > 0 && t('state.keysResting', { count: keysResting }),
  ]
  const separator = t('state.keysSeparator')
  return t('state.keysSentence', { inService, count, others: others.filter(Boolean).join(separator) })
}
