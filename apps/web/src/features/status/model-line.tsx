import type { ModelStatus } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { stateTones } from '../../components/status-page/state-words.ts'
import { StatusDot } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import { formatAvailability, formatDay } from '../../lib/format/format.ts'
import { type DayLevel, levelOf, worstDay } from './model-days.ts'

const bars: Readonly<Record<DayLevel, string>> = {
  good: 'h-full bg-good',
  warn: 'h-3/4 bg-warn',
  bad: 'h-1/2 bg-bad',
  none: 'h-1/4 bg-line-strong',
}
const levels = ['good', 'warn', 'bad', 'none'] as const

/** `2026-11-29` of the first second of a day. */
const dayName = (start: number | undefined) => formatDay(new Date((start ?? 0) * 1000))

interface ModelLineProps {
  readonly model: ModelStatus
  /** The first seconds of the days. */
  readonly days: readonly number[]
}

/** A model: its state now, a bar for each day, and the worst of them. */
export function ModelLine({ model, days }: ModelLineProps) {
  const { t } = useTranslation('statusPage')
  const { model_name, owner_by, state } = model
  const worst = worstDay(model.days)
  const text = worst && { share: formatAvailability(worst.share), day: dayName(days[worst.index]) }
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0">
          <span className="wrap-anywhere font-mono text-sm">{model_name}</span>
          {owner_by !== '' && <span className="ml-2 text-muted text-xs">{owner_by}</span>}
        </span>
        <StatusDot tone={stateTones[state]} className="shrink-0 text-sm">
          {t(`state.${state}`)}
        </StatusDot>
      </div>
      <div
        role="img"
        aria-label={text ? t('days', { ...text, count: days.length }) : t('daysNone', { count: days.length })}
        className="flex h-6 items-end gap-px sm:gap-0.5"
      >
        {days.map((start, index) => (
          <Day key={start} start={start} share={model.days[index] ?? null} />
        ))}
      </div>
      <div className="flex justify-between gap-4 text-muted text-xs">
        <span className="max-sm:hidden">{t('daysAgo', { count: days.length - 1 })}</span>
        {text && worst.share < 1 && <span className="figures sm:mx-auto">{t('lowest', text)}</span>}
        <span className="ml-auto">{t('today')}</span>
      </div>
    </li>
  )
}

interface DayProps {
  readonly start: number
  readonly share: number | null
}

function Day({ start, share }: DayProps) {
  const { t } = useTranslation('statusPage')
  const text = share === null ? t('noData') : formatAvailability(share)
  return (
    <span
      title={t('day', { day: dayName(start), share: text })}
      className="flex h-full min-w-0 flex-1 items-end"
    >
      <span className={cx('w-full rounded-xs', bars[levelOf(share)])} />
    </span>
  )
}

/** Explains the bars. */
export function DayLegend() {
  const { t } = useTranslation('statusPage')
  return (
    <div className="flex flex-col gap-1.5 text-muted text-xs">
      <p>{t('legend')}</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {levels.map((level) => (
          <li key={level} className="flex items-end gap-1.5">
            <span className="flex h-4 w-1.5 items-end" aria-hidden>
              <span className={cx('w-full rounded-xs', bars[level])} />
            </span>
            {t(`scale.${level}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}
