import { Link } from '@tanstack/react-router'
import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { When } from '../../../components/ui/when.tsx'
import { currentLanguage } from '../../../i18n/index.ts'
import { formatPercent } from '../../../lib/format.ts'
import { type ChannelProblem, channelProblem } from './channel-problem.ts'
import { actionLink, ProblemRow } from './problem-row.tsx'

/** Channels that need a person, each with its reason. */
export function ChannelRows({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useTranslation('dashboard')
  return channels.map((channel) => {
    const problem = channelProblem(channel, currentLanguage())
    return (
      problem && (
        <ProblemRow
          key={channel.id}
          tone={problem.tone}
          title={channel.name}
          word={t(`channel.${problem.word}`)}
          action={
            <Link to="/channel/edit/$id" params={{ id: String(channel.id) }} className={actionLink}>
              {t('channel.open')}
            </Link>
          }
        >
          <Why channel={channel} problem={problem} />
        </ProblemRow>
      )
    )
  })
}

interface WhyProps {
  readonly channel: Channel
  readonly problem: ChannelProblem
}

/** Reason, rate, last success and next attempt, as far as they are known. */
function Why({ channel: { health }, problem }: WhyProps) {
  const { t } = useTranslation('dashboard')
  if (problem.word === 'unused') return t('channel.unusedHint')
  const { last_success_time: answered } = health
  return (
    <>
      {upperFirst(problem.reason || t('channel.noReason'))}
      {health.error_rate > 0 && <> · {t('channel.errorRate', { rate: formatPercent(health.error_rate) })}</>}
      {' · '}
      {answered > 0 ? (
        <>
          {t('channel.answered')} <When at={answered} />
        </>
      ) : (
        t('channel.neverAnswered')
      )}
      {problem.retryAt > 0 && (
        <>
          {' · '}
          {t('channel.retry')} <When at={problem.retryAt} />
        </>
      )}
    </>
  )
}

/** Reasons are kept as parts of a sentence; here they begin one. */
function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
