import { Link } from '@tanstack/react-router'
import type { Channel } from '@tollgate/api'
import { CircleAlert, CircleHelp, CircleX, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { conditionTones, useConditionText } from '../../components/channel-condition.ts'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import type { Tone } from '../../components/ui/tag.tsx'
import { currentLanguage } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { capitalizeSentence } from '../../lib/format/capitalize-sentence.ts'
import { type ChannelProblem, channelProblem } from './channel-problem.ts'

interface ChannelRowsProps {
  readonly channels: readonly Channel[]
  /** Most that have a row of their own. */
  readonly max: number
}

/** Channels that need a person, each with its reason; those that were only never used in one row. */
export function ChannelRows({ channels, max }: ChannelRowsProps) {
  const { t } = useTranslation('dashboard')
  const reported = channels.map((channel) => ({
    channel,
    problem: channelProblem(channel, currentLanguage()),
  }))
  const unused = reported
    .filter(({ problem }) => problem?.condition === 'untested')
    .map(({ channel }) => channel)
  const grouped = unused.length > 1 ? unused : []
  return (
    <>
      <FirstOf
        items={reported.filter(({ channel }) => !grouped.includes(channel))}
        max={max}
        more={(count) => (
          <ProblemRow
            tone="bad"
            title={t('channel.more', { count })}
            action={
              <Link to="/channel" search={{ sort: '-problems' }} className={actionLink}>
                {t('channel.openAll')}
              </Link>
            }
          />
        )}
      >
        {({ channel, problem }) =>
          problem && <ChannelRow key={channel.id} channel={channel} problem={problem} />
        }
      </FirstOf>
      {grouped.length > 0 && <UnusedRow channels={grouped} />}
    </>
  )
}

function ChannelRow({ channel, problem }: WhyProps) {
  const { t } = useTranslation('dashboard')
  const { word } = useConditionText()
  return (
    <ProblemRow
      tone={conditionTones[problem.condition]}
      title={channel.name}
      word={word(problem.condition)}
      action={
        <Link to="/channel/edit/$id" params={{ id: String(channel.id) }} className={actionLink}>
          {t('channel.open')}
        </Link>
      }
    >
      <Why channel={channel} problem={problem} />
    </ProblemRow>
  )
}

/** Most names that are shown; the list has the others. */
const maxNames = 3

function UnusedRow({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <ProblemRow
      tone="neutral"
      title={t('channel.unusedMany')}
      action={
        <Link to="/channel" search={{ sort: '-problems' }} className={actionLink}>
          {t('channel.openAll')}
        </Link>
      }
    >
      <FirstOf items={channels} max={maxNames}>
        {({ id, name }, index) => <span key={id}>{index === 0 ? name : `, ${name}`} </span>}
      </FirstOf>{' '}
      · {t('channel.unusedHint')}
    </ProblemRow>
  )
}

interface WhyProps {
  readonly channel: Channel
  readonly problem: ChannelProblem
}

/** Reason, rate, last success and next attempt, as far as they are known. */
function Why({ channel: { health }, problem }: WhyProps) {
  const { t } = useTranslation('dashboard')
  const { lastHour } = useConditionText()
  if (problem.condition === 'untested') return t('channel.unusedHint')
  const { last_success_time: responded } = health
  return (
    <>
      {capitalizeSentence(problem.reason || t('channel.noReason'))}
      {health.last_hour.failed > 0 && <> · {lastHour(health.last_hour)}</>}
      {' · '}
      {responded > 0 ? (
        <>
          {t('channel.answered')} <RelativeTime at={responded} />
        </>
      ) : (
        t('channel.neverAnswered')
      )}
      {problem.retryAt > 0 && (
        <>
          {' · '}
          {problem.retryAt * 1000 > Date.now() ? (
            <>
              {t('channel.retry')} <RelativeTime at={problem.retryAt} upcoming />
            </>
          ) : (
            t('channel.retryDue')
          )}
        </>
      )}
    </>
  )
}

interface ProblemRowProps {
  readonly tone: Tone
  readonly title: ReactNode
  /** The state in a word, beside the title. */
  readonly word?: ReactNode
  readonly children?: ReactNode
  /** Control that mends it. */
  readonly action?: ReactNode
}

const looks: Partial<Readonly<Record<Tone, { readonly icon: LucideIcon; readonly color: string }>>> = {
  bad: { icon: CircleX, color: 'text-bad' },
  warn: { icon: CircleAlert, color: 'text-warn' },
  info: { icon: Info, color: 'text-info' },
}
const otherwise = { icon: CircleHelp, color: 'text-muted' }

/** One thing that is wrong: what, why, and the way to put it right. */
export function ProblemRow({ tone, title, word, children, action }: ProblemRowProps) {
  const { icon: Icon, color } = looks[tone] ?? otherwise
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2.5 border-b px-4 py-2.5 text-sm last:border-b-0 max-sm:py-1.5">
      <Icon className={cx('mt-0.5 size-4 shrink-0 max-sm:mt-2.5', color)} aria-hidden />
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 max-sm:py-2">
        <span className="min-w-0 break-words font-medium max-sm:line-clamp-2">{title}</span>
        {word && <span className={cx('shrink-0 text-xs', color)}>{word}</span>}
      </p>
      <span className="sm:row-span-2">{action}</span>
      {children && (
        <p className="col-start-2 break-words text-muted text-xs max-sm:col-span-full max-sm:line-clamp-2">
          {children}
        </p>
      )}
    </li>
  )
}

/** Links at the right of a row. */
export const actionLink =
  'shrink-0 whitespace-nowrap rounded-sm py-0.5 text-accent-text text-sm hover:underline max-sm:py-2'
