import { useState } from 'react'
import { formatPercent } from '../../lib/format/format.ts'
import { type Series, sumOf } from './series.ts'

interface ShareRingProps {
  readonly series: readonly Series[]
  readonly values: readonly number[]
  readonly nameOf: (series: Series) => string
  readonly format: (value: number) => string
}

/** Percent of the ring's circumference: the space between two parts, and the smallest visible part. */
const gap = 0.6
const minVisible = 0.3

/** Parts of a whole. The list beside it says the same in words. */
export function ShareRing({ series, values, nameOf, format }: ShareRingProps) {
  const [active, setActive] = useState<number>()
  const total = sumOf(values)
  const pointed = active === undefined ? undefined : series[active]
  const value = values[active ?? -1] ?? 0
  return (
    <div aria-hidden className="relative mx-auto size-44 shrink-0">
      <svg
        aria-hidden
        viewBox="0 0 100 100"
        className="size-full -rotate-90"
        onPointerLeave={() => setActive(undefined)}
      >
        {series.map((each, index) => {
          const share = ((values[index] ?? 0) / total) * 100
          const before = (sumOf(values.slice(0, index)) / total) * 100
          return (
            share > 0 && (
              <circle
                key={each.name ?? ''}
                cx={50}
                cy={50}
                r={42}
                fill="none"
                stroke={each.color}
                strokeWidth={active === index ? 16 : 14}
                pathLength={100}
                strokeDasharray={`${share === 100 ? 100 : Math.max(minVisible, share - gap)} 100`}
                strokeDashoffset={-before}
                pointerEvents="stroke"
                onPointerEnter={() => setActive(index)}
              />
            )
          )
        })}
      </svg>
      <p className="figures pointer-events-none absolute inset-0 grid place-items-center font-semibold text-lg">
        {format(total)}
      </p>
      {pointed && (
        <p className="floating pointer-events-none absolute bottom-full left-1/2 z-10 mb-1 -translate-x-1/2 whitespace-nowrap rounded px-2.5 py-1.5 text-xs">
          <span className="font-mono">{nameOf(pointed)}</span>{' '}
          <span className="figures font-semibold">{format(value)}</span>{' '}
          <span className="figures text-muted">{formatPercent(value / total)}</span>
        </p>
      )}
    </div>
  )
}
