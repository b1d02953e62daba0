import { useTranslation } from 'react-i18next'
import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  Pie,
  PieChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { usePhone } from '../../lib/browser/media-query.ts'
import { formatPercent } from '../../lib/format/format.ts'
import { type ChartData, type ChartStep, type Series, sumOf } from './series.ts'

export interface ShareRingProps {
  readonly series: readonly Series[]
  readonly values: readonly number[]
  readonly nameOf: (series: Series) => string
  readonly format: (value: number) => string
}

interface Share {
  readonly name: string
  readonly color: string
  readonly value: number
}

/** Parts of a whole. The list beside it says the same in words. */
export function ShareRing({ series, values, nameOf, format }: ShareRingProps) {
  const total = sumOf(values)
  const shares: readonly Share[] = series
    .map((each, index) => ({ name: nameOf(each), color: each.color, value: values[index] ?? 0 }))
    .filter(({ value }) => value > 0)
  return (
    <div aria-hidden className="relative mx-auto size-44 shrink-0">
      <ResponsiveContainer width="100%" height="100%">
        <PieChart accessibilityLayer={false}>
          <Pie
            data={[...shares]}
            dataKey="value"
            nameKey="name"
            innerRadius="68%"
            outerRadius="100%"
            stroke="var(--surface)"
            strokeWidth={2}
            rootTabIndex={-1}
            isAnimationActive={false}
          >
            {shares.map(({ name, color }) => (
              <Cell key={name} fill={color} />
            ))}
          </Pie>
          <Tooltip
            isAnimationActive={false}
            wrapperStyle={{ zIndex: 1 }}
            content={({ active, payload }) => {
              const share = payload?.[0]?.payload as Share | undefined
              return active && share ? (
                <div className="floating whitespace-nowrap rounded px-2.5 py-1.5 text-xs">
                  <span className="font-mono">{share.name}</span>{' '}
                  <span className="figures font-semibold">{format(share.value)}</span>{' '}
                  <span className="figures text-muted">{formatPercent(share.value / total)}</span>
                </div>
              ) : null
            }}
          />
        </PieChart>
      </ResponsiveContainer>
      <p className="figures pointer-events-none absolute inset-0 grid place-items-center font-semibold text-lg">
        {format(total)}
      </p>
    </div>
  )
}

interface StackedBarsProps extends ChartData {
  /** Short figures beside the axis. */
  readonly formatTick: (value: number) => string
  /** A bar was pressed: show what is within it. */
  readonly onStep?: ((at: number) => void) | undefined
}

const heights = { desk: 260, phone: 190 } as const
const tick = { fill: 'var(--muted)', fontSize: 11 }

/** Figures over time, a bar for each step with a part for each series. Its table says the same to a screen reader. */
export function StackedBars({ series, steps, nameOf, format, formatTick, onStep }: StackedBarsProps) {
  const height = heights[usePhone() ? 'phone' : 'desk']
  return (
    <div aria-hidden>
      <ResponsiveContainer width="100%" height={height}>
        <BarChart
          data={[...steps]}
          margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
          barCategoryGap="18%"
          accessibilityLayer={false}
          {...(onStep && {
            className: 'cursor-pointer',
            onClick: ({ activeIndex }) => {
              const step = steps[Number(activeIndex)]
              if (step) onStep(step.at)
            },
          })}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="label"
            tick={tick}
            tickLine={false}
            axisLine={{ stroke: 'var(--line-strong)' }}
            minTickGap={24}
          />
          <YAxis tick={tick} tickLine={false} axisLine={false} tickFormatter={formatTick} width="auto" />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--hover)' }}
            content={({ active, payload }) => {
              const step = payload?.[0]?.payload as ChartStep | undefined
              return active && step ? (
                <StepTooltip step={step} series={series} nameOf={nameOf} format={format} />
              ) : null
            }}
          />
          {series.map(({ name, color }, index) => (
            <Bar
              key={name ?? ''}
              dataKey={({ values }: ChartStep) => values[index]}
              stackId="all"
              fill={color}
              maxBarSize={48}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

interface StepTooltipProps extends Pick<ChartData, 'series' | 'nameOf' | 'format'> {
  readonly step: ChartStep
}

/** What a step is made of, the largest first. */
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
