import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format/format.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'

export interface RelativeTimeProps {
  /** Unix seconds. */
  readonly at: number
  /** The day instead of the distance, for what happened long ago. */
  readonly day?: boolean
  readonly className?: string
}

/** A moment: how far away it is, or its day; exactly on hover and for programs that read the page. */
export function RelativeTime({ at, day = false, className }: RelativeTimeProps) {
  const { i18n } = useTranslation()
  const exact = formatDateTime(at)
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={exact}
      className={className ?? (day ? 'figures text-muted' : 'figures')}
    >
      {day ? exact.slice(0, 10) : relativeTime(at, Date.now() / 1000, i18n.language)}
    </time>
  )
}
