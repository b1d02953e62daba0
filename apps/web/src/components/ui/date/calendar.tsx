import { Suspense } from 'react'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { Skeleton } from '../states.tsx'
import type { DayCalendarProps, RangeCalendarProps } from './calendar-days.ts'

const load = () => import('./calendar-grid.tsx')
const DayGrid = lazyComponent(load, 'DayGrid')
const RangeGrid = lazyComponent(load, 'RangeGrid')

/** A month to choose a day from; arrow keys move by days and weeks, Page Up and Page Down by months. */
export function DayCalendar(props: DayCalendarProps) {
  return (
    <Suspense fallback={<Loading />}>
      <DayGrid {...props} />
    </Suspense>
  )
}

/** A month to choose a first and a last day from. */
export function RangeCalendar(props: RangeCalendarProps) {
  return (
    <Suspense fallback={<Loading />}>
      <RangeGrid {...props} />
    </Suspense>
  )
}

/** Reserves the size of the calendar, so that nothing jumps when it loads. */
function Loading() {
  return <Skeleton className="h-64! w-56!" />
}
