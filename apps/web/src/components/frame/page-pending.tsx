import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/states.tsx'

/** While a page's code is on its way. */
export function PagePending() {
  return (
    <Page>
      <div aria-busy className="flex flex-col gap-3">
        <Skeleton className="h-6! w-40!" />
        <Skeleton className="h-8! w-72!" />
        <Skeleton className="h-72!" />
      </div>
    </Page>
  )
}
