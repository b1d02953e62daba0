import type { Channel } from '@tollgate/api'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Sparkline } from '../../../components/ui/sparkline.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatDateTime, formatDuration, formatPercent } from '../../../lib/format/format.ts'
import { type ResponseTier, responseTier } from '../channel-state.ts'

// No colour exists between good and warning: a mixture of the two keeps the contrast of both.
const tierColours: Readonly<Record<ResponseTier, string>> = {
  untested: 'text-muted',
  fast: 'text-good',
  fair: 'text-[color-mix(in_oklab,var(--good)_55%,var(--warn))]',
  slow: 'text-warn',
  'very-slow': 'text-bad',
}

/** Time of the last test, in the colour of its tier. */
export function ResponseTime({
  channel,
}: {
  readonly channel: Pick<Channel, 'response_time' | 'test_time'>
}) {
  const { t } = useTranslation('channels')
  const tier = responseTier(channel.response_time)
  if (tier === 'untested') return <span className="text-muted">{t('response.untested')}</span>
  const tested = t('response.testedAt', {
    time: formatDateTime(channel.test_time),
    tier: t(`response.${tier}`),
  })
  return (
    <span className={cx('figures font-medium', tierColours[tier])} title={tested}>
      {formatDuration(channel.response_time)}
    </span>
  )
}

/** Share of failed attempts of the last minutes. */
export function ErrorRate({ rate }: { readonly rate: number }) {
  const { t } = useTranslation('channels')
  const text = t('response.errors', { rate: formatPercent(rate) })
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={cx(
        'figures inline-flex items-center gap-1 text-xs',
        rate < badRate ? 'text-warn' : 'font-medium text-bad',
      )}
    >
      <TriangleAlert className="size-3" aria-hidden />
      {formatPercent(rate)}
    </span>
  )
}

/** From here on errors are the first thing to look at. */
const badRate = 0.1

/** Course of the last hour's response times, minute by minute; a single minute has no course. */
export function RecentTimes({
  recent,
  className,
}: {
  readonly recent: readonly number[]
  readonly className: string
}) {
  const { t } = useTranslation('channels')
  const latest = recent.at(-1)
  if (latest === undefined || recent.length < 2) return null
  return (
    <Sparkline
      values={recent}
      label={t('response.recent', { latest: formatDuration(latest) })}
      className={className}
    />
  )
}

/** Last test, course of the last hour, errors when there are any. */
export function ResponseCell({ channel }: { readonly channel: Channel }) {
  const { recent_ms: recent, error_rate: rate } = channel.health
  return (
    <span className="inline-flex items-center gap-2">
      <span className="min-w-14 text-right">
        <ResponseTime channel={channel} />
      </span>
      <span className="w-12 max-[1359px]:hidden">
        <RecentTimes recent={recent} className="h-5! w-12!" />
      </span>
      {rate > 0 && <ErrorRate rate={rate} />}
    </span>
  )
}
