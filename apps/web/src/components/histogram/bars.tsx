import type { LogHistogram } from '@tollgate/api'
import { memo } from 'react'
import { cx } from '../../lib/cx.ts'
import { zoneHere } from '../../lib/format/reader-clock.ts'
import { type Brush, positionOf, ticksOf } from './steps.ts'

interface BarsProps {
  readonly histogram: LogHistogram
  readonly brush: Brush | undefined
  /** Unix seconds. */
  readonly marks?: readonly number[] | undefined
}

/** One bar for each step, its errors on top, and round times below. */
export function Bars({ histogram, brush, marks = [] }: BarsProps) {
  const first = brush && Math.min(brush.anchor, brush.end)
  const { length } = histogram.steps
  return (
    <div className="flex h-full flex-col" aria-hidden>
      <div className="relative min-h-0 flex-1 border-b">
        <Drawn histogram={histogram} />
        {brush && first !== undefined && (
          <span
            style={{
              left: `${(first / length) * 100}%`,
              width: `${((Math.abs(brush.end - brush.anchor) + 1) / length) * 100}%`,
            }}
            className="absolute inset-y-0 border-accent border-x bg-accent/20"
          />
        )}
      </div>
      {marks.length > 0 && <Marks histogram={histogram} marks={marks} />}
      <Ticks histogram={histogram} />
    </div>
  )
}

/** Bars are at least so high, in percent, where there was a call at all. */
const minBar = 4

/** Drawn again for other figures alone: a pointer moves over it. */
const Drawn = memo(function Drawn({ histogram: { steps } }: Pick<BarsProps, 'histogram'>) {
  const limit = Math.max(1, ...steps.map(({ calls, errors }) => calls + errors))
  const height = (count: number) => (count === 0 ? 0 : Math.max(minBar, (count / limit) * 100))
  return (
    <svg
      viewBox={`0 0 ${steps.length} 100`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
      aria-hidden
    >
      {steps.map(({ at, calls, errors }, index) => {
        const [good, bad] = [height(calls), height(errors)]
        const lift = Math.max(0, 100 - good - bad)
        return (
          <g key={at}>
            {calls > 0 && (
              <rect
                x={index + 0.1}
                width={0.8}
                y={lift + bad}
                height={100 - lift - bad}
                className="fill-accent/55"
              />
            )}
            {errors > 0 && <rect x={index + 0.1} width={0.8} y={lift} height={bad} className="fill-bad" />}
          </g>
        )
      })}
    </svg>
  )
})

/** A point for each moment that the chart covers. */
function Marks({
  histogram,
  marks,
}: Required<Pick<BarsProps, 'histogram'>> & { readonly marks: readonly number[] }) {
  return (
    <div className="relative h-2">
      {marks.map((at, index) => {
        const position = positionOf(histogram, at)
        return (
          position !== undefined && (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have happened in one second
              key={index}
              style={{ left: `${position * 100}%` }}
              className="absolute top-0.5 size-1.5 -translate-x-1/2 rounded-full bg-warn"
            />
          )
        )
      })}
    </div>
  )
}

const Ticks = memo(function Ticks({ histogram }: Pick<BarsProps, 'histogram'>) {
  const ticks = ticksOf(histogram, zoneHere())
  return (
    <div className="figures relative h-3.5 text-2xs text-muted leading-3.5">
      {ticks.map(({ index, label }, turn) => {
        const position = index / histogram.steps.length
        return (
          <span
            key={index}
            style={{ left: `${position * 100}%` }}
            className={cx(
              'absolute whitespace-nowrap',
              position > 0.02 && '-translate-x-1/2',
              position > 0.97 && '-translate-x-full',
              // A phone has room for half of them.
              turn % 2 === 1 && 'max-sm:hidden',
            )}
          >
            {label}
          </span>
        )
      })}
    </div>
  )
})
