import type { LogEntry, LogOther } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { type Attempt, isSuccess, kindOf, needsKeys } from '../attempts/attempt.ts'
import { ChannelName } from '../attempts/channel-name.tsx'
import { formatSpan } from '../duration/format-span.ts'
import { isFailedCall } from '../log-type.ts'
import { type Segment, type Timeline, ticksOf, timelineOf } from './timeline.ts'

/** Shows the times of a call: one bar after the other, from arrival to the last byte. */
export function TimelineChart({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  if (!other.timing) return <p className="text-muted text-sm">{t('timeline.unknown')}</p>
  const attempts = other.admin_info?.attempts ?? []
  const failed = isFailedCall(entry)
  // The last attempt of a call that failed lasts until its end: nothing was delivered after it.
  const { timing } = other
  const timeline = timelineOf(failed ? { ...timing, first_token: timing.done } : timing, attempts)
  return (
    <div className="@container">
      <div className="flex flex-col gap-2 @lg:gap-1">
        <Axis totalMs={timeline.totalMs} />
        {timeline.stretches.map((stretch, index) => (
          <StretchRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of one call never change
            key={index}
            stretch={stretch}
            timeline={timeline}
            entry={entry}
            showKey={needsKeys(attempts)}
          />
        ))}
      </div>
      <p className="figures mt-2 text-muted text-xs">
        {t(failed ? 'timeline.failed' : entry.is_stream ? 'timeline.summary' : 'timeline.summaryWhole', {
          first: formatSpan(timeline.firstTokenMs),
          done: formatSpan(timeline.totalMs),
        })}
      </p>
    </div>
  )
}

const grid = '@lg:grid @lg:grid-cols-[minmax(9rem,15rem)_minmax(0,1fr)_4rem] @lg:items-center @lg:gap-x-3'

function Axis({ totalMs }: { readonly totalMs: number }) {
  return (
    <div className={grid} aria-hidden>
      <span />
      <span className="relative block h-5 border-b text-2xs text-muted">
        {ticksOf(totalMs).map((tick) => (
          <span
            key={tick}
            className="figures absolute bottom-0 whitespace-nowrap border-l pb-0.5 pl-1 leading-none"
            style={{ left: share(tick, totalMs) }}
          >
            {tick / totalMs < 0.85 && formatSpan(tick)}
          </span>
        ))}
      </span>
      <span />
    </div>
  )
}

interface StretchRowProps {
  readonly stretch: Segment
  readonly timeline: Timeline
  readonly entry: LogEntry
  readonly showKey: boolean
}

function StretchRow({ stretch, timeline: { totalMs }, entry, showKey }: StretchRowProps) {
  const { start, end } = stretch
  return (
    <div className={cx(grid, 'text-sm')}>
      <span className="flex min-w-0 items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">
          <StretchName stretch={stretch} entry={entry} showKey={showKey} />
        </span>
        <span className="figures shrink-0 text-muted text-xs @lg:hidden">{formatSpan(end - start)}</span>
      </span>
      <span className="relative block h-3.5 rounded-sm bg-sunken @lg:h-5">
        <span
          className={cx('absolute inset-y-0 min-w-0.5 rounded-sm', barColour(stretch))}
          style={{
            left: `min(${share(start, totalMs)}, calc(100% - 2px))`,
            width: share(end - start, totalMs),
          }}
        />
      </span>
      <span
        className="figures text-right text-muted text-xs max-sm:hidden @max-lg:hidden"
        title={`${formatSpan(start)} – ${formatSpan(end)}`}
      >
        {formatSpan(end - start)}
      </span>
    </div>
  )
}

function share(ms: number, totalMs: number): string {
  return totalMs > 0 ? `${(ms / totalMs) * 100}%` : '0%'
}

const barColours = { route: 'bg-faint', wait: 'bg-series-1', response: 'bg-series-3' } as const

function barColour(stretch: Segment): string {
  if (stretch.kind !== 'attempt') return barColours[stretch.kind]
  return isSuccess(stretch.attempt) ? barColours.wait : 'bg-bad-solid'
}

type StretchNameProps = Pick<StretchRowProps, 'stretch' | 'entry' | 'showKey'>

function StretchName({ stretch, entry, showKey }: StretchNameProps): ReactNode {
  const { t } = useTranslation('logs')
  if (stretch.kind === 'attempt')
    return <AttemptName attempt={stretch.attempt} entry={entry} showKey={showKey} />
  return t(stretch.kind === 'wait' && !entry.is_stream ? 'timeline.whole' : `timeline.${stretch.kind}`)
}

interface AttemptNameProps {
  readonly attempt: Attempt
  readonly entry: LogEntry
  readonly showKey: boolean
}

/** Channel, key and how it ended: `OpenAI primary · key 2 · 429 rate limited`. */
function AttemptName({ attempt, entry, showKey }: AttemptNameProps) {
  const { t } = useTranslation('logs')
  const kind = kindOf(attempt)
  const worked = isSuccess(attempt)
  const outcome = worked ? '' : kind ? t(`kind.${kind}`) : attempt.kind
  const detail = [
    showKey ? t('timeline.key', { number: attempt.key + 1 }) : '',
    [attempt.status > 0 ? attempt.status : '', outcome].filter(Boolean).join(' '),
  ]
  const text = detail.filter(Boolean).join(' · ')
  return (
    <>
      <ChannelName id={attempt.channel} entry={entry} />{' '}
      <span className={cx('text-xs', worked ? 'text-muted' : 'text-bad')}>{text}</span>
    </>
  )
}
