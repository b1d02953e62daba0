import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { relativeTime } from '../../lib/relative-time.ts'
import { automaticEnablingQuery } from './api.ts'
import type { ChannelState } from './channel-state.ts'
import { reasonText } from './reason-text.ts'

/** Time of day when the moment is today, else the date with it. */
export function momentText(unixSeconds: number, now: Date = new Date()): string {
  const text = formatDateTime(unixSeconds)
  const [day = '', time = ''] = text.split(' ')
  return formatDate(now).startsWith(day) ? time : text
}

/**
 * Why a channel is not simply in service and when it is tried again, in one sentence; `undefined` when there is
 * nothing to explain.
 */
export function useStateSentence(state: ChannelState): string | undefined {
  const { t, i18n } = useTranslation('channels')
  const automatic = useQuery({
    ...automaticEnablingQuery,
    enabled: state.word === 'auto-disabled' && state.retryAt === 0,
  })
  const reason = reasonText(state.reason, i18n.language) || t('state.noReason')
  const retry = state.retryAt > 0 ? t('state.retryAt', { time: momentText(state.retryAt) }) : undefined
  switch (state.word) {
    case 'auto-disabled': {
      const since = state.since > 0 ? t('state.sinceTime', { time: momentText(state.since) }) : ''
      const next = retry ?? t(automatic.data === true ? 'state.probed' : 'state.staysOff')
      return t('state.autoDisabledSentence', { since, reason, next })
    }
    case 'resting':
      return t('state.restingSentence', { reason, next: retry ?? t('state.retrySoon') })
    case 'probing':
      return t('state.probingSentence', { reason })
    case 'failing': {
      const ago = relativeTime(state.since, Date.now() / 1000, i18n.language, 'long')
      return t('state.failingSentence', { ago, reason })
    }
    case 'enabled':
      if (state.keyCount === 0 || state.keysInService >= state.keyCount) return undefined
      return t('state.keysSentence', { inService: state.keysInService, count: state.keyCount })
    default:
      return undefined
  }
}
