import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useConditionText } from '../../components/channel-condition.ts'
import { localList } from '../../i18n/local-list.ts'
import { capitalizeSentence } from '../../lib/format/capitalize-sentence.ts'
import { formatDate, formatDateTime } from '../../lib/format/format.ts'
import { dateNow, secondsNow } from '../../lib/server-clock.ts'
import { automaticEnablingQuery } from './api.ts'
import type { ChannelState } from './channel-state.ts'
import { reasonText, withoutDetail } from './reason-text.ts'

/** Time of day when the moment is today, else the date with it. */
export function momentText(unixSeconds: number, now: Date = dateNow()): string {
  const text = formatDateTime(unixSeconds)
  const [day = '', time = ''] = text.split(' ')
  return formatDate(now).startsWith(day) ? time : text
}

/** Returns the text about the next attempt; one whose time is past comes with the next call. Empty when none is planned. */
export function retryText(retryAt: number, t: TFunction<'channels'>, now = secondsNow()): string {
  if (retryAt <= 0) return ''
  return retryAt <= now ? t('state.retryDue') : t('state.retryAt', { time: momentText(retryAt) })
}

/**
 * Explains in one sentence why a channel is not simply in service and when it is tried again; `undefined` when there is nothing to
 * explain.
 * @param brief for a row: with the last hour, without since when and the upstream's own words
 */
export function useStateSentence(state: ChannelState, brief = false): string | undefined {
  const { t, i18n } = useTranslation('channels')
  const condition = useConditionText()
  const automatic = useQuery({
    ...automaticEnablingQuery,
    enabled: state.condition === 'auto-disabled' && state.retryAt === 0,
  })
  const visibleReason = brief ? withoutDetail(state.reason) : state.reason
  const reason = reasonText(visibleReason, i18n.language) || t('state.noReason')
  const retry = retryText(state.retryAt, t)
  switch (state.condition) {
    case 'auto-disabled': {
      const since = state.since > 0 && !brief ? t('state.sinceTime', { time: momentText(state.since) }) : ''
      const next = retry || t(automatic.data === true ? 'state.probed' : 'state.staysOff')
      return capitalizeSentence(t('state.autoDisabledSentence', { since, reason, next }))
    }
    case 'failing':
    case 'retrying':
    case 'degraded': {
      const next = state.isProbed ? t('state.probing') : retry
      const hour = brief && state.lastHour.failed > 0 ? condition.lastHour(state.lastHour) : ''
      const parts = [hour, keysText(state, t), whyText(state, reason, t), next]
      return parts
        .filter((part) => part !== '')
        .map(capitalizeSentence)
        .join(' · ')
    }
    default:
      return undefined
  }
}

function whyText(
  { condition, neverAnswered, reason: { reason_code, reason: text } }: ChannelState,
  reason: string,
  t: TFunction<'channels'>,
): string {
  if (condition === 'degraded' && reason_code === '' && text === '') return ''
  return neverAnswered ? t('state.neverResponded', { reason }) : reason
}

/** Explains how many keys are in service and why the others are not; empty when all are. */
function keysText(state: ChannelState, t: TFunction<'channels'>): string {
  const { keyCount: count, keysInService: inService, keysDisabled, keysResting } = state
  if (count <= 1 || inService >= count) return ''
  const others = [
    ...(keysDisabled > 0 ? [t('state.keysDisabled', { count: keysDisabled })] : []),
    ...(keysResting > 0 ? [t('state.keysResting', { count: keysResting })] : []),
  ]
  return t('state.keysSentence', { inService, count, others: localList(others) })
}
