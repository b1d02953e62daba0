import type { LogEntry, LogOther } from '@tollgate/api'
import { formatDecimal } from '@tollgate/base/decimal'
import { useTranslation } from 'react-i18next'
import { MarginFigure } from '../../../components/margin/margin-figure.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatInteger } from '../../../lib/format/format.ts'
import { marginRate } from '../../../lib/margin.ts'
import { BillTable } from './bill-table.tsx'
import { type Charge, chargeOf } from './charge.ts'

/** The charge of a call as a bill: lines that add up, and in words what the figures cannot say. */
export function ChargeSection({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const { quotaPerUnit } = useMoneyDisplay()
  const perUnit = other.quota_per_unit ?? quotaPerUnit
  const charge = chargeOf(entry, other, perUnit)
  return (
    <div className="flex flex-col gap-3">
      {charge ? (
        <>
          <BillTable entry={entry} charge={charge} quotaPerUnit={perUnit} />
          <SettlingNote entry={entry} charge={charge} />
        </>
      ) : (
        <div>
          <p className="font-semibold text-xl">
            <Money quota={entry.quota} exact />
          </p>
          <p className="text-muted text-sm">{t('charge.unknown')}</p>
          <CostLine entry={entry} />
        </div>
      )}
      {entry.corrected !== undefined && (
        <Notice tone="info">
          {t('charge.corrected')} <Money quota={entry.quota + entry.corrected} exact single />
        </Notice>
      )}
      {entry.cost === null && (
        <p className="text-muted text-xs">
          {t('bill.costUnknown', { model: other.upstream_model_name ?? entry.model_name })}
        </p>
      )}
      <ServiceNotes other={other} />
      <ImageNote other={other} />
      <VideoNote other={other} />
      <DeliveryNotes entry={entry} other={other} />
    </div>
  )
}

/** Cost and margin of a charge whose lines are not known. */
function CostLine({ entry: { quota, cost } }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('logs')
  if (typeof cost !== 'number') return null
  return (
    <p className="mt-1 text-sm">
      {t('bill.cost')} <Money quota={cost} exact single /> · {t('bill.margin')}{' '}
      <MarginFigure margin={quota - cost} rate={marginRate(quota, cost)} exact />
    </p>
  )
}

/** Explains how the exact sum became a whole number of units, where it was none. */
function SettlingNote({ entry, charge }: { readonly entry: LogEntry; readonly charge: Charge }) {
  const { t } = useTranslation('logs')
  const { settling } = charge
  if (settling === 'exact') return null
  const exact = formatDecimal(charge.exact)
  const words = {
    exact,
    charged: formatInteger(entry.quota),
    total: formatInteger(charge.total),
    missing: formatInteger(charge.total - entry.quota),
  }
  if (settling === 'differs') {
    return (
      <Notice tone="warn" title={t('settling.differs.title')}>
        {t('settling.differs.text', words)}
      </Notice>
    )
  }
  return <p className="text-muted text-xs">{t(`settling.${settling}`, words)}</p>
}

/** Explains why the call has another price than the model's: its service and time, and the length of its prompt. */
function ServiceNotes({
  other: { tier_ratios = {}, length_step, price_window },
}: {
  readonly other: LogOther
}) {
  const { t } = useTranslation('logs')
  return (
    <>
      {Object.entries(tier_ratios).map(([tier, ratio]) => (
        <p key={tier} className="text-muted text-xs">
          {t('charge.tier', { tier, ratio })}
        </p>
      ))}
      {price_window && (
        <p className="text-muted text-xs">
          {t('charge.window', {
            from: price_window.from,
            to: price_window.to,
            zone: price_window.zone,
            ratio: price_window.ratio,
          })}
        </p>
      )}
      {length_step && (
        <p className="text-muted text-xs">
          {t(length_step.cached === undefined ? 'charge.lengthStep' : 'charge.lengthStepCached', {
            ...length_step,
            above: formatInteger(length_step.above),
          })}
        </p>
      )}
    </>
  )
}

/** Shows the factors of a price of several images. */
function ImageNote({ other }: { readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const { image_price, image_count, image_size, image_quality } = other
  if (image_price === undefined || image_count === undefined) return null
  const figures = {
    number: formatInteger(image_count),
    price: image_price,
    size: image_size ?? '',
    sizeRatio: other.image_size_ratio ?? 1,
    quality: image_quality ?? '',
    qualityRatio: other.image_quality_ratio ?? 1,
  }
  return <p className="text-muted text-xs">{t('charge.images', figures)}</p>
}

/** Shows the factors of the price of a video. */
function VideoNote({ other }: { readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const { video_price, video_unit, video_seconds = 0, video_resolution = '' } = other
  if (video_price === undefined) return null
  const figures = {
    price: video_price,
    seconds: formatInteger(video_seconds),
    resolution: video_resolution,
    resolutionRatio: other.video_resolution_ratio ?? 1,
  }
  const words = video_unit === 'second' ? 'charge.videoBySecond' : 'charge.videoByCall'
  const { video_sound_ratio: ratio } = other
  return (
    <p className="text-muted text-xs">
      {t(words, figures)} {ratio !== undefined && t('charge.videoSound', { ratio })}
    </p>
  )
}

const knownEnds = [
  'client_gone',
  'upstream_cut',
  'upstream_error',
  'timeout',
  'shutdown',
  'insufficient_quota',
  'output_limit',
  'sensitive_words',
] as const

/** Shows who counted the tokens, and why the response is incomplete. */
function DeliveryNotes({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  return (
    <>
      <EndNote entry={entry} other={other} />
      <CountNote other={other} />
    </>
  )
}

function EndNote({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  if (!other.ended) return null
  // A buffered response was complete: the caller did not wait for it.
  if (other.ended === 'client_gone' && !entry.is_stream)
    return (
      <Notice tone="info" title={t('unread.title')}>
        {t('unread.text')}
      </Notice>
    )
  const ended = knownEnds.find((end) => end === other.ended)
  return (
    <Notice tone="warn" title={t('ended.title')}>
      {ended ? t(`ended.${ended}`) : t('ended.other', { reason: other.ended })}{' '}
      {!other.unfinished && t('ended.charged')}
    </Notice>
  )
}

/** Counts that are not the upstream's: it sent none, or some that the call cannot have used. */
function CountNote({ other }: { readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const { usage_disbelieved: claimed, estimated } = other
  if (!claimed) return estimated ? <Notice tone="info">{t('estimated')}</Notice> : null
  const figures = {
    prompt: formatInteger(claimed.prompt_tokens),
    completion: formatInteger(claimed.completion_tokens),
  }
  return (
    <Notice tone="warn" title={t('disbelieved.title')}>
      {t('disbelieved.text', figures)}
    </Notice>
  )
}
