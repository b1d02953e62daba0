import { Cell, Pie, PieChart, ResponsiveContainer, Tooltip } from 'recharts'
import { formatPercent } from '../../lib/format.ts'
import { type Series, sumOf } from './series.ts'

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
