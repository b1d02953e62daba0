import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { conditionTones, useConditionText } from '../../../components/channel-condition.ts'
import type { Tone } from '../../../components/ui/tag.tsx'
import { drainText } from './drain/drain-text.ts'
import { scheduleText } from './schedule/schedule-text.ts'

/** Standing of a channel: a word with its tone, and sentences about its drain and what is planned. */
export interface Standing {
  readonly word: string
  readonly tone: Tone
  readonly plans: readonly string[]
}

/** Returns how a channel stands, in the reader's language. */
export function useStanding({ drain, schedule, health }: Channel): Standing {
  const { t } = useTranslation('channels')
  const condition = useConditionText()
  const plans = [drainText(drain, t), scheduleText(schedule, t)].filter((text) => text !== undefined)
  return drain
    ? { word: t('drain.word'), tone: 'info', plans }
    : { word: condition.word(health.condition), tone: conditionTones[health.condition], plans }
}
