import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format/format.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { secondsNow } from '../../lib/server-clock.ts'

export interface RelativeTimeProps {
  /** Unix seconds. */
  readonly at: number
  /** The day instead of the distance, for what happened long ago. */
  readonly day?: boolean
  /** Set for a time in the future: the seconds before it count. */
  readonly upcoming?: boolean
  readonly className?: string
}

/** A moment: how far away it is, or its day; exactly on hover and for programs that read the page. */
export function RelativeTime({ at, day = false, upcoming = false, className }: RelativeTimeProps) {
  const { t, i18n } = useTranslation()
  const now = secondsNow()
  // Clocks differ by seconds: what was recorded a moment ago may lie ahead.
  const isJustNow = !upcoming && Math.abs(at - now) < 60
  const exact = formatDateTime(at)
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={exact}
      className={className ?? (day ? 'figures text-muted' : 'figures')}
    >
      {day ? exact.slice(0, 10) : isJustNow ? t('time.justNow') : relativeTime(at, now, i18n.language)}
    </time>
  )
}
