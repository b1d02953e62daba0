import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Sparkline } from '../../../components/ui/sparkline.tsx'
import { NoValue } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatDateTime, formatDuration } from '../../../lib/format/format.ts'
import { type ResponseTier, responseMs, responseOf, responseTier } from '../channel-state.ts'
import { reasonText } from '../reason-text.ts'

// No colour exists between good and warning: a mixture of the two keeps the contrast of both.
const tierColours: Readonly<Record<ResponseTier, string>> = {
  untested: 'text-muted',
  fast: 'text-good',
  fair: 'text-[color-mix(in_oklab,var(--good)_55%,var(--warn))]',
  slow: 'text-warn',
  'very-slow': 'text-bad',
}

type Timed = Parameters<typeof responseOf>[0] & Pick<Channel, 'test_time'>

/** Shows the response time: a failed test in red with its status, else the mean of the last hour's calls, else the last test. */
export function ResponseTime({ channel }: { readonly channel: Timed }) {
  const { t, i18n } = useTranslation(['channels', 'common'])
  const response = responseOf(channel)
  switch (response.kind) {
    case 'test-failed': {
      const { status, reason } = response
      return (
        <span
          className="figures whitespace-nowrap font-medium text-bad"
          title={t('common:named', {
            name: t('response.testFailedAt', { time: formatDateTime(channel.test_time) }),
            value: reasonText(reason, i18n.language),
          })}
        >
          {status > 0 ? t('response.testFailedStatus', { status }) : t('response.testFailed')}
        </span>
      )
    }
    case 'live': {
      const { ok } = channel.health.last_hour
      const tier = t(`response.${responseTier(response.ms)}`)
      return <Latency ms={response.ms} title={t('response.live', { count: ok, tier })} />
    }
    case 'tested': {
      const tier = t(`response.${responseTier(response.ms)}`)
      const time = formatDateTime(channel.test_time)
      return <Latency ms={response.ms} title={t('response.testedAt', { time, tier })} />
    }
    case 'none':
      return <NoValue />
    default:
      return <span className="text-muted">{t(`response.${response.kind}`)}</span>
  }
}

/** A time in the colour of its tier. */
export function Latency({ ms, title }: { readonly ms: number; readonly title: string }) {
  return (
    <span className={cx('figures font-medium', tierColours[responseTier(ms)])} title={title}>
      {formatDuration(ms)}
    </span>
  )
}

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

/** Shows the response time, and the course of the last hour. */
export function ResponseCell({ channel }: { readonly channel: Channel }) {
  const { recent_ms: recent } = channel.health
  return (
    <span className="inline-flex items-center gap-2">
      <span className="min-w-14 text-right">
        <ResponseTime channel={channel} />
      </span>
      {responseMs(channel) > 0 && (
        <span className="w-12 max-[1359px]:hidden">
          <RecentTimes recent={recent} className="h-5! w-12!" />
        </span>
      )}
    </span>
  )
}
