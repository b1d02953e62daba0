import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { conditionTones } from '../../../components/channel-condition.ts'
import { StatusDot, type Tone } from '../../../components/ui/tag.tsx'
import { usePhone } from '../../../lib/browser/media-query.ts'
import { summaryOf, type TagRow } from '../channel-rows.ts'
import { channelState } from '../channel-state.ts'
import { useStateSentence } from '../state-sentence.ts'
import { useStanding } from '../switching/use-standing.ts'

/** Dot and word, and why in one sentence; on a phone the sentence stands beside the buttons. */
export function StatusCell({ channel }: { readonly channel: Channel }) {
  const phone = usePhone()
  const state = channelState(channel)
  const sentence = useStateSentence(state, true)
  const fullSentence = useStateSentence(state)
  const { word: text, tone, plans } = useStanding(channel)
  const word = <StatusDot tone={tone}>{text}</StatusDot>
  if (phone || (sentence === undefined && plans.length === 0)) return word
  return (
    <div
      className="line-clamp-2 w-48 whitespace-normal text-xs leading-4 min-[1440px]:w-56 min-[1600px]:w-80"
      title={[fullSentence, ...plans].filter(Boolean).join(' · ')}
    >
      <span className="mr-1.5 inline-flex align-bottom font-medium">{word}</span>
      <span className="text-muted">{[...plans, sentence].filter(Boolean).join(' · ')}</span>
    </div>
  )
}

/** Tones from the calmest to the most urgent. */
const urgency: readonly Tone[] = ['good', 'accent', 'neutral', 'info', 'warn', 'bad']

/** Shows the number of a tag's channels that are switched on, in the colour of the one that does worst. */
export function TagStatus({ row }: { readonly row: TagRow }) {
  const { t } = useTranslation('channels')
  const { enabled } = summaryOf(row.channels)
  const worst = Math.max(
    ...row.channels.map(({ health }) => urgency.indexOf(conditionTones[health.condition])),
  )
  return (
    <StatusDot tone={urgency[worst] ?? 'neutral'}>
      <span className="figures">{t('tag.enabled', { enabled, count: row.channels.length })}</span>
    </StatusDot>
  )
}
