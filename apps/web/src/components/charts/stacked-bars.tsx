import { nice, ticks } from 'd3-array'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { type ChartData, type ChartStep, sumOf } from './series.ts'

interface StackedBarsProps extends ChartData {
  /** Short figures beside the axis. */
  readonly formatTick: (value: number) => string
  /** A bar was pressed: show what is within it. */
  readonly onStep?: ((at: number) => void) | undefined
}

/** About so many lines across the chart. */
const lines = 4
/** Number of names below it, at most; a phone has room for half of them. */
const maxNames = 12

/** Figures over time, a bar for each step with a part for each series. Its table says the same to a screen reader. */
export function StackedBars({ series, steps, nameOf, format, formatTick, onStep }: StackedBarsProps) {
  const [active, setActive] = useState<number>()
  const limit = Math.max(...steps.map(({ values }) => sumOf(values)), 0) || 1
  const [, top] = nice(0, limit, lines)
  const marks = ticks(0, top, lines)
  const pointed = active === undefined ? undefined : steps[active]
  return (
    <div
      aria-hidden
      className="grid h-[260px] grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_1.25rem] gap-x-2 text-2xs text-muted max-sm:h-[190px]"
    >
      <Axis marks={marks} top={top} formatTick={formatTick} />
      <div className="relative" onPointerLeave={() => setActive(undefined)}>
        {marks.map((mark) => (
          <span
            key={mark}
            style={{ bottom: `${(mark / top) * 100}%` }}
            className={cx('absolute inset-x-0 border-b', mark === 0 && 'border-line-strong')}
          />
        ))}
        <div className="absolute inset-0 flex">
          {steps.map((step, index) => (
            // The table beside it has the same for the keyboard.
            // biome-ignore lint/a11y/noStaticElementInteractions: hidden from assistive technology
            // biome-ignore lint/a11y/useKeyWithClickEvents: hidden from assistive technology
            <div
              key={step.at}
              className={cx(
                'flex h-full min-w-0 flex-1 items-end justify-center',
                active === index && 'bg-hover',
                onStep && 'cursor-pointer',
              )}
              onPointerEnter={() => setActive(index)}
              onClick={onStep && (() => onStep(step.at))}
            >
              <Bar step={step} series={series} top={top} />
            </div>
          ))}
        </div>
        {pointed && active !== undefined && (
          <div
            style={{ left: `clamp(6rem, ${((active + 0.5) / steps.length) * 100}%, calc(100% - 6rem))` }}
            className="pointer-events-none absolute top-0 z-10 -translate-x-1/2"
          >
            <StepTooltip step={pointed} series={series} nameOf={nameOf} format={format} />
          </div>
        )}
      </div>
      <span />
      <Names steps={steps} />
    </div>
  )
}

/** The figures beside the lines; the widest makes the room. */
function Axis({
  marks,
  top,
  formatTick,
}: Pick<StackedBarsProps, 'formatTick'> & { readonly marks: readonly number[]; readonly top: number }) {
  return (
    <div className="figures relative text-right">
      {marks.map((mark) => (
        <span key={mark} className="block h-0 overflow-hidden">
          {formatTick(mark)}
        </span>
      ))}
      {marks.map((mark) => (
        <span
          key={mark}
          style={{ bottom: `${(mark / top) * 100}%` }}
          className="absolute right-0 translate-y-1/2 whitespace-nowrap"
        >
          {formatTick(mark)}
        </span>
      ))}
    </div>
  )
}

interface BarProps extends Pick<ChartData, 'series'> {
  readonly step: ChartStep
  readonly top: number
}

function Bar({ step: { values }, series, top }: BarProps) {
  const sum = sumOf(values)
  if (sum === 0) return null
  return (
    <div
      data-bar
      style={{ height: `max(2px, ${(sum / top) * 100}%)` }}
      className="flex w-[82%] max-w-12 flex-col-reverse"
    >
      {series.map(({ name, color }, index) => (
        <span key={name ?? ''} style={{ flex: `${(values[index] ?? 0) / sum} 0 0%`, background: color }} />
      ))}
    </div>
  )
}

/** Shows the names of the steps, as many as there is room for. */
function Names({ steps }: Pick<ChartData, 'steps'>) {
  const stride = Math.ceil(steps.length / maxNames)
  const named = steps.flatMap(({ at, label }, index) => (index % stride === 0 ? [{ at, label, index }] : []))
  return (
    <div className="figures relative">
      {named.map(({ at, label, index }, turn) => (
        <span
          key={at}
          style={{ left: `${((index + 0.5) / steps.length) * 100}%` }}
          className={cx(
            'absolute top-1 -translate-x-1/2 whitespace-nowrap',
            named.length > maxNames / 2 && turn % 2 === 1 && 'max-sm:hidden',
          )}
        >
          {label}
        </span>
      ))}
    </div>
  )
}

interface StepTooltipProps extends Pick<ChartData, 'series' | 'nameOf' | 'format'> {
  readonly step: ChartStep
}

/** Lists the parts of a step, the largest first. */
function StepTooltip({ step, series, nameOf, format }: StepTooltipProps) {
  const { t } = useTranslation()
  const parts = series
    .map((each, index) => ({ ...each, label: nameOf(each), value: step.values[index] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
  return (
    <div className="floating min-w-44 rounded px-3 py-2 text-xs">
      <p className="text-muted">{step.title}</p>
      <p className="flex justify-between gap-6 py-0.5 font-semibold">
        {t('chart.total')}
        <span className="figures">{format(sumOf(step.values))}</span>
      </p>
      {parts.map(({ label, color, value }) => (
        <p key={label} className="flex items-center gap-2">
          <span className="size-2 shrink-0 rounded-sm" style={{ background: color }} />
          <span className="min-w-0 flex-1 truncate font-mono">{label}</span>
          <span className="figures">{format(value)}</span>
        </p>
      ))}
    </div>
  )
}
