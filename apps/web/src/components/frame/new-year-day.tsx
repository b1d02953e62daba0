import { Suspense } from 'react'
import { lazyComponent } from '../../lib/lazy-component.ts'

const NewYearButton = lazyComponent(() => import('./new-year.tsx'), 'NewYearButton')

/** A button on the first of January, and on no other day. */
export function NewYear() {
  return <Suspense>{isNewYearsDay(new Date()) && <NewYearButton />}</Suspense>
}

/** Decides whether it is the first day of the year at the person's place. */
function isNewYearsDay(now: Date): boolean {
  return now.getMonth() === 0 && now.getDate() === 1
}
