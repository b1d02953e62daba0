import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { NoValue, Tag } from '../../components/ui/tag.tsx'
import { useChannelName } from '../../lib/api/channel-name.ts'
import { cx } from '../../lib/cx.ts'
import { formatDuration } from '../../lib/format/format.ts'
import {
  type Job,
  percentOf,
  promptOf,
  spentMs,
  spentTone,
  statusName,
  statusTones,
  type TaskStatus,
} from './job.ts'
import { thumbnailOf, titleOf } from './media.ts'
import { Thumbnail } from './media-view.tsx'

/** A moment in milliseconds; 0 has not come yet. */
export function MomentCell({ at }: { readonly at: number }) {
  return at <= 0 ? <NoValue /> : <RelativeTime at={Math.floor(at / 1000)} />
}

/** Shows the duration, in milliseconds. */
export function SpentCell({
  submitted,
  finished,
}: {
  readonly submitted: number
  readonly finished: number
}) {
  const spent = spentMs(submitted, finished)
  if (spent === undefined) return <NoValue />
  return (
    <Tag tone={spentTone(spent)}>
      <span className="figures">{formatDuration(spent)}</span>
    </Tag>
  )
}

export function StatusCell({ status }: { readonly status: TaskStatus }) {
  const { t } = useTranslation('tasks')
  const word = statusName(status)
  return <Tag tone={statusTones[word]}>{t(`status.${word}`)}</Tag>
}

interface ProgressCellProps {
  readonly progress: string
  readonly failed: boolean
}

const radius = 7
const circumference = 2 * Math.PI * radius

/** A ring with its figure; any other text stays text. */
export function ProgressCell({ progress, failed }: ProgressCellProps) {
  const { t } = useTranslation('tasks')
  const percent = percentOf(progress)
  if (percent === undefined) return progress === '' ? <NoValue /> : progress
  return (
    <span className="figures inline-flex items-center gap-1.5 align-middle">
      <svg
        viewBox="0 0 18 18"
        role="progressbar"
        aria-label={t('column.progress')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className={cx('-rotate-90 size-4.5 shrink-0', failed ? 'text-bad' : 'text-accent')}
      >
        <circle cx={9} cy={9} r={radius} fill="none" strokeWidth={2.5} className="stroke-line" />
        <circle
          cx={9}
          cy={9}
          r={radius}
          fill="none"
          strokeWidth={2.5}
          stroke="currentColor"
          strokeDasharray={`${(percent / 100) * circumference} ${circumference}`}
        />
      </svg>
      {percent}%
    </span>
  )
}

/** The channel, for administrators: its number once it is deleted. */
export function ChannelCell({ id }: { readonly id: number }) {
  if (id === 0) return <NoValue />
  return (
    <span className="block max-w-32 truncate">
      <ChannelName id={id} />
    </span>
  )
}

export function ChannelName({ id }: { readonly id: number }) {
  const name = useChannelName(id)
  return <span title={`#${id} ${name ?? ''}`}>{name ?? `#${id}`}</span>
}

/** A text of any length in one line; whole in the details of its row. */
export function LongTextCell({ text }: { readonly text: string }) {
  if (text === '') return <NoValue />
  return (
    <span className="block max-w-36 truncate" title={text}>
      {text}
    </span>
  )
}

/** Shows the reason of a failure whole: it says what to do next. */
export function ReasonCell({ text }: { readonly text: string }) {
  if (text === '') return <NoValue />
  return <span className="block min-w-44 whitespace-normal break-words text-bad leading-4">{text}</span>
}

/** Shows what a job is about: its picture, its title where the upstream gave one, and the first lines of its prompt. */
export function WorkCell({ job }: { readonly job: Job }) {
  const [picture, title, prompt] = [thumbnailOf(job), titleOf(job), promptOf(job)]
  if (picture === '' && title === '' && prompt === '') return <NoValue />
  return (
    <span className="flex min-w-44 max-w-96 items-center gap-2 max-sm:min-w-0">
      {picture !== '' && <Thumbnail url={picture} className="size-8" />}
      <span className="min-w-0 flex-1 whitespace-normal leading-4">
        {title !== '' && <span className="line-clamp-1 break-words font-medium">{title}</span>}
        {prompt !== '' && (
          <span
            className={cx('break-words', title === '' ? 'line-clamp-2' : 'line-clamp-1 text-muted')}
            title={prompt}
          >
            {prompt}
          </span>
        )}
      </span>
    </span>
  )
}
