import { cx } from '../../lib/cx.ts'

export interface SparklineProps {
  readonly values: readonly number[]
  /** Description with its latest figure: the picture itself says nothing to a screen reader. */
  readonly label: string
  readonly className?: string
}

const width = 96
const height = 24
const margin = 2

/** SVG points of a line over the whole width; lowest value at the bottom. Exported for its test. */
export function sparklinePoints(values: readonly number[]): readonly (readonly [x: number, y: number])[] {
  const low = Math.min(...values, 0)
  const high = Math.max(...values)
  const span = high - low || 1
  const step = values.length > 1 ? (width - 2 * margin) / (values.length - 1) : 0
  return values.map((value, index) => [
    Math.round((margin + index * step) * 10) / 10,
    Math.round((height - margin - ((value - low) / span) * (height - 2 * margin)) * 10) / 10,
  ])
}

/** The course of a figure in the size of a word. */
export function Sparkline({ values, label, className }: SparklineProps) {
  const points = sparklinePoints(values)
  const last = points.at(-1)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className={cx('h-6 w-24 overflow-visible', className)}
    >
      {last === undefined ? (
        <line
          x1={margin}
          x2={width - margin}
          y1={height - margin}
          y2={height - margin}
          className="stroke-line-strong"
          strokeDasharray="2 3"
        />
      ) : (
        <>
          <polygon
            points={`${points[0]?.[0]},${height} ${points.join(' ')} ${last[0]},${height}`}
            className="fill-accent opacity-10"
          />
          <polyline
            points={points.join(' ')}
            className="fill-none stroke-accent"
            strokeWidth={1.5}
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
          <circle cx={last[0]} cy={last[1]} r={2} className="fill-accent" />
        </>
      )}
    </svg>
  )
}
