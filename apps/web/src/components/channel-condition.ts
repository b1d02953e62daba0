import type { Channel, ChannelCondition } from '@tollgate/api'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatInteger } from '../lib/format/format.ts'
import type { Tone } from './ui/tag.tsx'

/** The colour of each condition, the same on every page. */
export const conditionTones: Readonly<Record<ChannelCondition, Tone>> = {
  healthy: 'good',
  degraded: 'warn',
  failing: 'bad',
  retrying: 'warn',
  'auto-disabled': 'bad',
  disabled: 'neutral',
  // What never responded is not known to work.
  untested: 'neutral',
}

type LastHour = Channel['health']['last_hour']

/** The words of conditions and of the last hour, in the reader's language. */
export function useConditionText() {
  const { t } = useTranslation()
  return {
    word: (condition: ChannelCondition) => t(`condition.${condition}`),
    lastHour: (hour: LastHour) => lastHourText(hour, t),
  }
}

/** Returns the sentence about the last hour's failures; that none failed is only said where a response proves it. */
function lastHourText({ ok, failed }: LastHour, t: TFunction): string {
  if (failed > 0) {
    const attempts = formatInteger(ok + failed)
    return t('lastHour.failed', { count: ok + failed, failed: formatInteger(failed), attempts })
  }
  return t(ok > 0 ? 'lastHour.noErrors' : 'lastHour.noAttempts')
}
