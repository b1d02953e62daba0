import type { LogHistogram } from '@tollgate/api'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInteger } from '../../lib/format/format.ts'
import { Skeleton } from '../ui/states.tsx'
import { Bars } from './bars.tsx'
import { type Brush, hasSeveralDays, stepAt, stepName, stepsIn, sumOfSteps, timesOfBrush } from './steps.ts'

export interface CallHistogramProps {
  readonly histogram: LogHistogram | undefined
  /** Moments that are marked below the bars, in Unix seconds. */
  readonly marks?: readonly number[] | undefined
  /** Narrows the log to a piece of the chart, which has so many failed calls. */
  readonly onZoom: (times: { readonly from: number; readonly to: number }, errors: number) => void
}

/** Calls and errors over time. Drawing over a piece of it, or choosing it with the arrows and Enter, shows only that. */
export function CallHistogram({ histogram, marks, onZoom }: CallHistogramProps) {
  if (!histogram) return <Skeleton className="h-full!" />
  return <Brushed histogram={histogram} marks={marks} onZoom={onZoom} />
}

function Brushed({ histogram, marks, onZoom }: CallHistogramProps & { readonly histogram: LogHistogram }) {
  const { t } = useTranslation()
  const { steps } = histogram
  const [brush, setBrush] = useState<Brush>()
  const [drawing, setDrawing] = useState(false)
  const say = useStepText(histogram)
  const last = steps.length - 1
  const visible = brush && { anchor: Math.min(brush.anchor, last), end: Math.min(brush.end, last) }

  function zoom(): void {
    const times = visible && timesOfBrush(histogram, visible)
    setBrush(undefined)
    setDrawing(false)
    if (times) onZoom(times, sumOfSteps(stepsIn(histogram, times)).errors)
  }
  function point(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const end = stepAt(steps, (event.clientX - left) / width)
    setBrush(drawing && brush ? { ...brush, end } : { anchor: end, end })
  }
  function press(event: KeyboardEvent): void {
    const end = keyTarget(event.key, brush?.end ?? last, last)
    if (event.key === 'Enter' && brush) zoom()
    else if (event.key === 'Escape') setBrush(undefined)
    else if (end === undefined) return
    else setBrush({ anchor: event.shiftKey && brush ? brush.anchor : end, end })
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('histogram.label')}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={visible?.end ?? last}
      aria-valuetext={say(visible ?? { anchor: last, end: last })}
      className="relative h-full cursor-crosshair touch-pan-y rounded-sm"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        point(event)
        setDrawing(true)
      }}
      onPointerMove={point}
      onPointerUp={() => drawing && zoom()}
      onPointerCancel={() => setDrawing(false)}
      onPointerLeave={() => !drawing && setBrush(undefined)}
      onBlur={() => setBrush(undefined)}
      onKeyDown={press}
    >
      <Bars histogram={histogram} brush={visible} marks={marks} />
      {visible && (
        <p
          aria-hidden
          style={{ left: `clamp(6rem, ${((visible.end + 0.5) / steps.length) * 100}%, calc(100% - 6rem))` }}
          className="figures pointer-events-none absolute -top-7 z-20 -translate-x-1/2 whitespace-nowrap rounded border bg-surface px-2 py-1 text-xs shadow-float"
        >
          {say(visible)}
        </p>
      )}
    </div>
  )
}

/** Returns the step to which an arrow key moves; `undefined` for other keys. */
function keyTarget(key: string, from: number, last: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, from - 1),
    ArrowRight: Math.min(last, from + 1),
    Home: 0,
    End: last,
  }
  return targets[key]
}

/** Returns a function that describes a piece of the chart in words. */
function useStepText(histogram: LogHistogram): (brush: Brush) => string {
  const { t } = useTranslation()
  const withDay = hasSeveralDays(histogram)
  return (brush) => {
    const times = timesOfBrush(histogram, brush)
    if (!times) return ''
    const { calls, errors } = sumOfSteps(stepsIn(histogram, times))
    return [
      `${stepName(times.from, withDay)} – ${stepName(times.to + 1, withDay)}`,
      t('histogram.calls', { count: calls, calls: formatInteger(calls) }),
      t('histogram.errors', { count: errors, errors: formatInteger(errors) }),
    ].join(' · ')
  }
}
